package io.outboxed.rest;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.RequiresAccess;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.input.JsonInput;
import io.outboxed.rest.input.QueryInput;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Changes of many dead letters or deliveries: a preview sets the bound, then the nodes make them in the background. */
@Path(AdminOperation.ROOT + "/operations")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: operations")
public class OperationsResource {

    @Inject
    OutboxAdmin admin;

    @Inject
    DeadLetters deadLetters;

    @Inject
    Operator operator;

    @GET
    @RequiresAccess(AdminOperation.OPERATIONS)
    @Operation(summary = "Bulk operations: those that are running, then those that have ended")
    @APIResponseSchema(BulkView.Operations.class)
    public Response operations(@Context UriInfo address) {
        QueryInput.of(address).check();
        return Answer.of(new BulkView.Operations(
                admin.operations().stream().map(BulkView.Operation::of).toList()));
    }

    @GET
    @Path("{id}")
    @RequiresAccess(AdminOperation.OPERATION)
    @Operation(summary = "How far a bulk operation has come")
    @APIResponseSchema(BulkView.Operation.class)
    public Response operation(@PathParam("id") UUID id, @Context UriInfo address) {
        QueryInput.of(address).check();
        return Answer.of(BulkView.Operation.of(require(id)));
    }

    @POST
    @Path("preview")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.PREVIEW)
    @Operation(
            summary =
                    "What a replay, discard or retry of many would change, and the filter and version to start it with")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.PREVIEW))
    @APIResponseSchema(BulkView.Preview.class)
    public Response preview(InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        BulkSelection selection =
                BulkSelection.of(input, input.oneOf("kind", BulkRequest.Kind.class, BulkRequest.Kind.REPLAY));
        input.check();
        if (selection.isRetry()) {
            BulkSelection frozen = selection.frozen(admin.status().at());
            RetryPreview preview = admin.previewRetry(frozen.request(false).waiting());
            return Answer.of(BulkView.Preview.of(preview, frozen.filter()), frozen.version());
        }
        BulkSelection frozen = selection.frozen(
                deadLetters.find(selection.filter(), null, 1).letters(),
                () -> admin.status().at());
        ReplayPreview preview = admin.previewReplay(frozen.filter());
        return Answer.of(BulkView.Preview.of(preview, frozen.filter()), frozen.version(preview));
    }

    @POST
    @Path("replay")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.REPLAY_MANY)
    @Operation(summary = "Starts a replay of many in the background; If-Match is the preview's ETag")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.REPLAY_MANY))
    @APIResponseSchema(BulkView.Operation.class)
    public Response replay(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        boolean allowReordering = input.flag("allowReordering");
        Start start = start(input, BulkRequest.Kind.REPLAY);
        ReplayPreview preview = start.selection().seen(admin::previewReplay, ifMatch);
        BulkSelection.requireConsent(preview, allowReordering);
        return start(start, allowReordering);
    }

    @POST
    @Path("discard")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.DISCARD_MANY)
    @Operation(summary = "Starts a discard of many in the background; If-Match is the preview's ETag")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.DISCARD_MANY))
    @APIResponseSchema(BulkView.Operation.class)
    public Response discard(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Start start = start(JsonInput.read(body), BulkRequest.Kind.DISCARD);
        start.selection().seen(admin::previewReplay, ifMatch);
        return start(start, false);
    }

    @POST
    @Path("retry")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.RETRY_MANY)
    @Operation(summary = "Starts a retry of many in the background; If-Match is the preview's ETag")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.RETRY_MANY))
    @APIResponseSchema(BulkView.Operation.class)
    public Response retry(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Start start = start(JsonInput.read(body), BulkRequest.Kind.RETRY);
        start.selection().seen(ifMatch);
        try {
            return start(start, false);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    ProblemType.INVALID,
                    "the period of the filter is empty: \"since\" is not before \"until\" and in the past; nothing was"
                            + " changed.");
        }
    }

    @POST
    @Path("{id}/cancel")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.CANCEL)
    @Operation(summary = "Ends a bulk operation early; changes already made remain")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.CANCEL))
    @APIResponseSchema(BulkView.Operation.class)
    public Response cancel(@PathParam("id") UUID id, InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        Attribution by = operator.because(input);
        input.check();
        return Answer.of(cancelled(id, by));
    }

    BulkView.Operation cancelled(UUID id, Attribution by) {
        return admin.cancel(id, by).map(BulkView.Operation::of).orElseThrow(() -> notRunning(require(id)));
    }

    private static ProblemException notRunning(BulkOperation ended) {
        return new ProblemException(ProblemType.NOTHING_TO_CHANGE, "It is " + ended.state() + "; nothing was changed.");
    }

    private record Start(BulkSelection selection, int perSecond, Attribution by) {}

    /** Call it last. */
    private Start start(Input input, BulkRequest.Kind kind) {
        Start start = new Start(
                BulkSelection.bounded(input, kind),
                input.whole("perSecond", BulkRequest.DEFAULT_PER_SECOND, BulkRequest.MAX_PER_SECOND),
                operator.because(input));
        input.check();
        refuseOverlap(start.selection().request(false));
        return start;
    }

    /** Before the version is checked, so that whoever repeats a request is told of the operation it has started. */
    private void refuseOverlap(BulkRequest request) {
        admin.operations().stream()
                .filter(each -> each.state() == BulkOperation.State.RUNNING)
                .filter(each -> each.request().mayOverlap(request))
                .findFirst()
                .ifPresent(running -> {
                    throw new OperationRunningException(running);
                });
    }

    private Response start(Start start, boolean allowReordering) {
        BulkRequest request = start.selection().request(allowReordering);
        return Answer.of(BulkView.Operation.of(admin.start(request.perSecond(start.perSecond()), start.by())));
    }

    private BulkOperation require(UUID id) {
        return admin.operation(id)
                .orElseThrow(() -> new ProblemException(
                        ProblemType.UNKNOWN_OPERATION, "There is no bulk operation " + id + "; nothing was changed."));
    }
}
