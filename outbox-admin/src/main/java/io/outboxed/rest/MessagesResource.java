package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingPage;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.RequiresAccess;
import io.outboxed.rest.input.FilterInput;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Lists what waits. */
@Path(AdminOperation.ROOT + "/messages")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: messages")
public class MessagesResource {

    @Inject
    OutboxAdmin admin;

    @GET
    @RequiresAccess(AdminOperation.MESSAGES)
    @Operation(summary = "Messages (ready, parked) or deliveries (waiting, blocked), the oldest first")
    @Parameter(name = "state", in = ParameterIn.QUERY, required = true, description = "ready, parked, waiting, blocked")
    @Parameter(name = "handler", in = ParameterIn.QUERY, description = "of a delivery, exactly")
    @Parameter(name = "type", in = ParameterIn.QUERY, description = "of the event, exactly")
    @Parameter(name = "aggregateType", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "aggregateId", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "error", in = ParameterIn.QUERY, description = "a part of a delivery's last error")
    @Parameter(name = "errorKind", in = ParameterIn.QUERY, description = "a failure's \"error\", exactly")
    @Parameter(name = "since", in = ParameterIn.QUERY, description = "stored at this time or later")
    @Parameter(name = "until", in = ParameterIn.QUERY, description = "stored before this time")
    @Parameter(name = "after", in = ParameterIn.QUERY, description = "the previous page's \"next\"")
    @Parameter(name = "limit", in = ParameterIn.QUERY, description = "1 to 200; default 50")
    @APIResponseSchema(WaitingPage.class)
    public Response messages(@Context UriInfo address) {
        Input input = QueryInput.of(address);
        PageRequest page = PageRequest.of(input);
        WaitingFilter filter = FilterInput.waiting(input);
        return Answer.of(page.read(input, () -> admin.find(filter, page.after(), page.limit())));
    }
}
