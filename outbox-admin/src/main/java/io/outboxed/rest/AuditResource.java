package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AuditPage;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Who has changed what, and why. */
@Path(AdminOperation.ROOT + "/audit")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: audit")
public class AuditResource {

    @Inject
    OutboxAdmin admin;

    @GET
    @RequiresAccess(AdminOperation.AUDIT)
    @Operation(summary = "The changes of operators, the most recent first")
    @Parameter(name = "after", in = ParameterIn.QUERY, description = "the previous page's \"next\"")
    @Parameter(name = "limit", in = ParameterIn.QUERY, description = "1 to 200; default 50")
    @APIResponseSchema(AuditPage.class)
    public Response audit(@Context UriInfo address) {
        Input input = QueryInput.of(address);
        PageRequest page = PageRequest.of(input);
        return Answer.of(page.read(input, () -> admin.audit(page.after(), page.limit())));
    }
}
