package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.EditedReplay;
import io.outboxed.internal.config.OutboxConfig;
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
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Replays a dead letter with another payload. */
@Path(AdminOperation.ROOT + "/messages/{id}/edit")
@RequestScoped
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: messages")
public class EditResource {

    @Inject
    OutboxAdmin admin;

    @Inject
    Operator operator;

    @Inject
    OutboxConfig config;

    /** @param event the id of the new event */
    public record Edited(UUID event) {}

    @POST
    @RequiresAccess(AdminOperation.EDIT)
    @Operation(summary = "Replays a dead letter with another payload, as a new event for its handler only")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.EDIT))
    @APIResponseSchema(Edited.class)
    public Response edit(@PathParam("id") UUID id, @HeaderParam("If-Match") String ifMatch, InputStream body)
            throws IOException {
        Input input = JsonInput.read(body, JsonInput.mostBytes(config.payload()));
        String handler = input.requiredText("handler", Input.MAX_NAME);
        String payload = input.requiredContent("payload");
        boolean allowReordering = input.flag("allowReordering");
        Attribution by = operator.because(input);
        input.check();
        RequestedLetter letter = RequestedLetter.of(admin, id, handler, ifMatch);
        EditedReplay replay = replay(letter, payload, allowReordering, by);
        return switch (replay.result()) {
            case REPLAYED -> Answer.of(new Edited(replay.eventId()));
            case NOT_FOUND -> throw letter.missing();
            case WOULD_REORDER ->
                throw new ProblemException(
                        ProblemType.WOULD_REORDER,
                        "The handler gets the new event after all others of its aggregate; nothing was changed. Send"
                                + " \"allowReordering\": true if it can cope with that.");
        };
    }

    private static EditedReplay replay(
            RequestedLetter letter, String payload, boolean allowReordering, Attribution by) {
        try {
            return letter.replayEdited(payload, allowReordering, by);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.INVALID, e.getMessage() + "; nothing was changed.");
        }
    }
}
