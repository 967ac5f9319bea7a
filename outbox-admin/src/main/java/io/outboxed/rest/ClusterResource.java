package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.ShardStatus;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.RequiresAccess;
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
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What is stored, and who relays it. */
@Path(AdminOperation.ROOT)
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: status")
public class ClusterResource {

    @Inject
    OutboxAdmin admin;

    public record Shards(List<ShardStatus> shards) {}

    public record Handlers(List<RegisteredHandler> handlers) {}

    @GET
    @Path("status")
    @RequiresAccess(AdminOperation.STATUS)
    @Operation(summary = "Counts, the oldest age, live nodes and pauses")
    @APIResponseSchema(OutboxStatus.class)
    public Response status(@Context UriInfo address) {
        QueryInput.of(address).check();
        return Answer.of(admin.status());
    }

    @GET
    @Path("shards")
    @RequiresAccess(AdminOperation.SHARDS)
    @Operation(summary = "Which node relays which shard")
    @APIResponseSchema(Shards.class)
    public Response shards(@Context UriInfo address) {
        QueryInput.of(address).check();
        return Answer.of(new Shards(admin.shards()));
    }

    @GET
    @Path("handlers")
    @RequiresAccess(AdminOperation.HANDLERS)
    @Operation(summary = "The handlers that deployments have registered, retired ones included")
    @APIResponseSchema(Handlers.class)
    public Response handlers(@Context UriInfo address) {
        QueryInput.of(address).check();
        return Answer.of(new Handlers(admin.handlers()));
    }
}
