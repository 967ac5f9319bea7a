package io.outboxed.rest;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.Admits;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.input.JsonInput;
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
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.ExampleObject;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * Changes many dead letters: first a preview, which sets the bound, then as many requests as it takes. Nothing is kept
 * between them, so any node can continue.
 */
@Path(AdminOperation.ROOT + "/dead-letters")
@RequestScoped
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: dead letters")
public class BulkResource {
    private static final int DEFAULT_MOST = 100;
    private static final int MAX_MOST = 1000;

    @Inject
    OutboxAdmin admin;

    @Inject
    DeadLetters deadLetters;

    @Inject
    Operator operator;

    @POST
    @Path("preview")
    @Admits(AdminOperation.PREVIEW)
    @Operation(summary = "What a replay or discard of many would change, and the filter and version to do it with")
    @RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            examples =
                                    @ExampleObject(
                                            name = "preview",
                                            value = "{\"filter\":{\"handler\":\"order-mail\"}}")))
    @APIResponseSchema(BulkView.Preview.class)
    public Response preview(InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        BulkSelection selection = BulkSelection.of(input);
        input.check();
        BulkSelection frozen =
                selection.frozen(deadLetters.find(selection.filter(), null, 1).letters());
        ReplayPreview preview = admin.previewReplay(frozen.filter());
        return Answer.of(BulkView.Preview.of(preview, frozen.filter()), frozen.version(preview));
    }

    @POST
    @Path("replay")
    @Admits(AdminOperation.REPLAY_MANY)
    @Operation(summary = "Delivers many dead letters once more, the oldest first; If-Match is the preview's ETag")
    @RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            examples =
                                    @ExampleObject(
                                            name = "replay",
                                            value = "{\"filter\":{\"handler\":\"order-mail\","
                                                    + "\"until\":\"2026-01-31T12:00:00.000001Z\"},\"atMost\":500,"
                                                    + "\"acceptOrder\":true,\"reason\":\"mail is back\"}")))
    @APIResponseSchema(BulkView.Progress.class)
    public Response replay(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        boolean acceptOrder = input.flag("acceptOrder");
        Change change = change(input);
        ReplayPreview preview = change.selection().seen(admin, ifMatch);
        BulkSelection.requireConsent(preview, acceptOrder);
        return progress(
                change.selection(),
                admin.replay(change.selection().filter(), change.atMost(), acceptOrder, change.by()));
    }

    @POST
    @Path("discard")
    @Admits(AdminOperation.DISCARD_MANY)
    @Operation(summary = "Deletes many dead letters, the oldest first; If-Match is the preview's ETag")
    @RequestBody(
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            examples =
                                    @ExampleObject(
                                            name = "discard",
                                            value = "{\"filter\":{\"handler\":\"order-mail\","
                                                    + "\"until\":\"2026-01-31T12:00:00.000001Z\"},\"atMost\":500,"
                                                    + "\"reason\":\"mails were sent by hand\"}")))
    @APIResponseSchema(BulkView.Progress.class)
    public Response discard(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Change change = change(JsonInput.read(body));
        change.selection().seen(admin, ifMatch);
        return progress(change.selection(), admin.discard(change.selection().filter(), change.atMost(), change.by()));
    }

    private record Change(BulkSelection selection, int atMost, Attribution by) {}

    /** Call it last. */
    private Change change(Input input) {
        Change change = new Change(
                BulkSelection.bounded(input), input.whole("atMost", DEFAULT_MOST, MAX_MOST), operator.because(input));
        input.check();
        return change;
    }

    private Response progress(BulkSelection selection, int changed) {
        ReplayPreview left = admin.previewReplay(selection.filter());
        return Answer.of(new BulkView.Progress(changed, left.matched()), selection.version(left));
    }
}
