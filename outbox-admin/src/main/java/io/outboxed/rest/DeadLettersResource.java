package io.outboxed.rest;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
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
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Lists dead letters, one by one or by what they have in common. */
@Path(AdminOperation.ROOT + "/dead-letters")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: dead letters")
public class DeadLettersResource {

    @Inject
    OutboxAdmin admin;

    @Inject
    DeadLetters deadLetters;

    public record Failures(List<FailureGroup> failures) {}

    @GET
    @RequiresAccess(AdminOperation.DEAD_LETTERS)
    @Operation(summary = "Dead letters, the most recent first")
    @Parameter(name = "messageId", in = ParameterIn.QUERY, description = "of this event")
    @Parameter(name = "handler", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "type", in = ParameterIn.QUERY, description = "of the event, exactly")
    @Parameter(name = "aggregateType", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "aggregateId", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "error", in = ParameterIn.QUERY, description = "a part of the error")
    @Parameter(name = "errorKind", in = ParameterIn.QUERY, description = "a failure's \"error\", exactly")
    @Parameter(name = "since", in = ParameterIn.QUERY, description = "given up at this time or later")
    @Parameter(name = "until", in = ParameterIn.QUERY, description = "given up before this time")
    @Parameter(name = "blocking", in = ParameterIn.QUERY, description = "true: only those that hold up their aggregate")
    @Parameter(name = "after", in = ParameterIn.QUERY, description = "the previous page's \"next\"")
    @Parameter(name = "limit", in = ParameterIn.QUERY, description = "1 to 200; default 50")
    @APIResponseSchema(DeadLetters.Page.class)
    public Response deadLetters(@Context UriInfo address) {
        Input input = QueryInput.of(address);
        PageRequest page = PageRequest.of(input);
        DeadLetterFilter filter = FilterInput.deadLetters(input);
        return Answer.of(page.read(input, () -> deadLetters.find(filter, page.after(), page.limit())));
    }

    @GET
    @Path("failures")
    @RequiresAccess(AdminOperation.FAILURES)
    @Operation(summary = "The most recent dead letters by handler, type and kind of error")
    @Parameter(name = "messageId", in = ParameterIn.QUERY, description = "of this event")
    @Parameter(name = "handler", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "type", in = ParameterIn.QUERY, description = "of the event, exactly")
    @Parameter(name = "aggregateType", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "aggregateId", in = ParameterIn.QUERY, description = "exactly")
    @Parameter(name = "error", in = ParameterIn.QUERY, description = "a part of the error")
    @Parameter(name = "errorKind", in = ParameterIn.QUERY, description = "a failure's \"error\", exactly")
    @Parameter(name = "since", in = ParameterIn.QUERY, description = "given up at this time or later")
    @Parameter(name = "until", in = ParameterIn.QUERY, description = "given up before this time")
    @Parameter(name = "blocking", in = ParameterIn.QUERY, description = "true: only those that hold up their aggregate")
    @APIResponseSchema(Failures.class)
    public Response failures(@Context UriInfo address) {
        Input input = QueryInput.of(address);
        DeadLetterFilter filter = FilterInput.deadLetters(input);
        input.check();
        return Answer.of(new Failures(admin.failures(filter)));
    }
}
