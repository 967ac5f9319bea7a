package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AggregateState;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.EventContent;
import io.outboxed.admin.StoredEvent;
import io.outboxed.internal.log.OutboxLog;
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
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** One event: what is stored about it, and what can be done with a delivery of it. */
@Path(AdminOperation.ROOT + "/messages/{id}")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: messages")
public class MessageResource {

    @Inject
    OutboxAdmin admin;

    @Inject
    Operator operator;

    /**
     * A delivery that is due now.
     *
     * @param heldUpBy what it still has to wait for, or null
     */
    public record Retried(int changed, AggregateState.Wait heldUpBy) {}

    @GET
    @RequiresAccess(AdminOperation.MESSAGE)
    @Operation(summary = "An event's messages, deliveries and dead letters, without its content")
    @APIResponseSchema(StoredEvent.class)
    public Response message(@PathParam("id") UUID id, @Context UriInfo address) {
        QueryInput.of(address).check();
        StoredEvent event = require(id);
        return Answer.of(event, ETag.of(event));
    }

    @GET
    @Path("content")
    @RequiresAccess(AdminOperation.CONTENT)
    @Operation(summary = "An event's headers and payload; for editors")
    @APIResponseSchema(EventContent.class)
    public Response content(@PathParam("id") UUID id, @Context UriInfo address) {
        QueryInput.of(address).check();
        EventContent content = admin.content(id).orElseThrow(() -> unknown(id));
        OutboxLog.contentRead(operator.name(), id);
        return Answer.of(content);
    }

    @POST
    @Path("retry")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.RETRY)
    @Operation(summary = "Makes a waiting delivery due now")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.RETRY))
    @APIResponseSchema(Retried.class)
    public Response retry(@PathParam("id") UUID id, @HeaderParam("If-Match") String ifMatch, InputStream body)
            throws IOException {
        Delivery delivery = delivery(body, false);
        if (ifMatch != null) {
            ETag.of(require(id)).check(ifMatch);
        }
        return Answer.of(asked(() -> retried(id, delivery.handler(), delivery.by())));
    }

    /** Reads before the change, so that a request that fails has changed nothing. */
    Retried retried(UUID id, String handler, Attribution by) {
        AggregateState.Wait held = admin.heldUpBy(id, handler).orElse(null);
        if (!admin.retryNow(id, handler, by)) {
            require(id);
            throw new ProblemException(
                    ProblemType.NOTHING_TO_CHANGE,
                    "No delivery to it waits for an attempt for this handler: another operator may have changed it"
                            + " first. Nothing was changed.");
        }
        return new Retried(1, held);
    }

    @POST
    @Path("replay")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.REPLAY)
    @Operation(summary = "Delivers a dead letter again, to its handler only")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.REPLAY))
    @APIResponseSchema(Answer.Changed.class)
    public Response replay(@PathParam("id") UUID id, @HeaderParam("If-Match") String ifMatch, InputStream body)
            throws IOException {
        Delivery delivery = delivery(body, true);
        RequestedLetter letter = RequestedLetter.of(admin, id, delivery.handler(), ifMatch);
        return switch (asked(() -> letter.replay(delivery.allowReordering(), delivery.by()))) {
            case REPLAYED -> Answer.of(new Answer.Changed(1));
            case NOT_FOUND -> throw letter.missing();
            case WOULD_REORDER ->
                throw new ProblemException(
                        ProblemType.WOULD_REORDER,
                        "The handler may get the event after newer ones of its aggregate; nothing was changed. Send"
                                + " \"allowReordering\": true if it can cope with that.");
        };
    }

    @POST
    @Path("discard")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.DISCARD)
    @Operation(summary = "Deletes a dead letter: its handler will never get the event")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.DISCARD))
    @APIResponseSchema(Answer.Changed.class)
    public Response discard(@PathParam("id") UUID id, @HeaderParam("If-Match") String ifMatch, InputStream body)
            throws IOException {
        Delivery delivery = delivery(body, false);
        RequestedLetter letter = RequestedLetter.of(admin, id, delivery.handler(), ifMatch);
        if (!asked(() -> letter.discard(delivery.by()))) {
            throw letter.missing();
        }
        return Answer.of(new Answer.Changed(1));
    }

    private record Delivery(String handler, boolean allowReordering, Attribution by) {}

    private Delivery delivery(InputStream body, boolean isReplay) throws IOException {
        Input input = JsonInput.read(body);
        Delivery delivery = new Delivery(
                input.requiredText("handler", Input.MAX_NAME),
                isReplay && input.flag("allowReordering"),
                operator.because(input));
        input.check();
        return delivery;
    }

    private static <T> T asked(Supplier<T> change) {
        try {
            return change.get();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.INVALID, e.getMessage() + "; nothing was changed.");
        }
    }

    private StoredEvent require(UUID id) {
        return admin.event(id).orElseThrow(() -> unknown(id));
    }

    static ProblemException unknown(UUID id) {
        return new ProblemException(
                ProblemType.UNKNOWN_MESSAGE,
                "Nothing is stored about " + id + ": it is done, it was discarded, or it never existed.");
    }
}
