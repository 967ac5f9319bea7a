package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropPreview;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.admin.RegisteredHandler.Verdict;
import io.outboxed.admin.WaitingItem;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.RequiresAccess;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.input.JsonInput;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Retires a handler that no deployment has any more, and drops what waits for it. */
@Path(AdminOperation.ROOT + "/handlers/drop-deliveries")
@RequestScoped
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: handlers")
public class DropResource {
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 10_000;

    @Inject
    OutboxAdmin admin;

    @Inject
    Operator operator;

    /** See {@link DropPreview}. */
    public record Preview(
            List<String> retiring,
            List<String> retired,
            List<String> active,
            long waiting,
            List<String> atLeast,
            List<WaitingItem> oldest) {}

    /** See {@link DropResult}. */
    public record Dropped(List<String> retired, int dropped, int locked, boolean complete) {}

    @POST
    @Path("preview")
    @RequiresAccess(AdminOperation.PREVIEW_DROP)
    @Operation(summary = "What a drop would retire, what waits for the handler, and the version to drop it with")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.PREVIEW_DROP))
    @APIResponseSchema(Preview.class)
    public Response preview(InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        Drop drop = drop(input);
        DropPreview preview = accepted(drop);
        return Answer.of(
                new Preview(
                        preview.retiring(),
                        preview.retired(),
                        preview.active(),
                        preview.waiting(),
                        preview.atLeast(),
                        preview.oldest()),
                version(drop, preview));
    }

    @POST
    @RequiresAccess(AdminOperation.DROP_DELIVERIES)
    @Operation(summary = "Retires a handler, if asked to, and drops what waits for it; If-Match is the preview's ETag")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.DROP_DELIVERIES))
    @APIResponseSchema(Dropped.class)
    public Response dropDeliveries(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        int atMost = input.whole("limit", DEFAULT_LIMIT, MAX_LIMIT);
        Attribution by = operator.because(input);
        Drop drop = drop(input);
        ETag.require(ifMatch);
        version(drop, accepted(drop)).check(ifMatch);
        DropResult result = admin.dropDeliveries(drop, atMost, by);
        requireAccepted(result.verdict());
        return Answer.of(new Dropped(result.retired(), result.dropped(), result.locked(), result.complete()));
    }

    /** Checks the input too. */
    private static Drop drop(Input input) {
        String handler = input.requiredText("handler", Input.MAX_NAME);
        boolean retire = input.flag("retire");
        String type = input.text("type", Input.MAX_NAME);
        if (type != null && !retire) {
            input.problem("type", "says what is retired: expected \"retire\": true too");
        }
        input.check();
        return new Drop(handler, retire, type);
    }

    private DropPreview accepted(Drop drop) {
        try {
            DropPreview preview = admin.previewDrop(drop);
            requireAccepted(preview.verdict());
            return preview;
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.INVALID, e.getMessage() + "; nothing was changed.");
        }
    }

    private static void requireAccepted(Verdict verdict) {
        switch (verdict) {
            case ACCEPTED -> {}
            case UNKNOWN_HANDLER ->
                throw new ProblemException(
                        ProblemType.NOTHING_TO_CHANGE,
                        "No handler of this name is registered, and nothing waits for one; nothing was changed.");
            case UNKNOWN_TYPE ->
                throw new ProblemException(
                        ProblemType.NOTHING_TO_CHANGE,
                        "The handler is not registered for this type; nothing was changed.");
            case NOT_RETIRED ->
                throw new ProblemException(
                        ProblemType.HANDLER_IN_USE,
                        "The handler is not retired, and would get all that waits for it; nothing was changed. Deploy"
                                + " without it on all nodes, then send \"retire\": true, and \"type\" if it remains a"
                                + " handler of other types.");
        }
    }

    /** Without the number, because new events may still wait for the handler. */
    private static ETag version(Drop drop, DropPreview preview) {
        return ETag.of(drop, preview.retiring(), preview.retired(), preview.active());
    }
}
