package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AggregateState;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.RequiresAccess;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.input.QueryInput;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What holds up an aggregate. Its names are parameters, because they may contain slashes. */
@Path(AdminOperation.ROOT + "/aggregate")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: messages")
public class AggregateResource {

    @Inject
    OutboxAdmin admin;

    @GET
    @RequiresAccess(AdminOperation.AGGREGATE)
    @Operation(summary = "What an aggregate waits for")
    @Parameter(name = "type", in = ParameterIn.QUERY, description = "the aggregate's type, if it has one")
    @Parameter(name = "id", in = ParameterIn.QUERY, required = true, description = "the aggregate's identity")
    @APIResponseSchema(AggregateState.class)
    public Response aggregate(@Context UriInfo address) {
        return Answer.of(aggregate(QueryInput.of(address)));
    }

    AggregateState aggregate(Input input) {
        String type = Objects.requireNonNullElse(input.storedText("type", Input.MAX_NAME), "");
        String id = input.requiredStoredText("id", Input.MAX_NAME);
        input.check();
        return admin.aggregate(type, id);
    }
}
