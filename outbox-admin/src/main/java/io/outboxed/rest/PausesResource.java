package io.outboxed.rest;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.PauseTarget.Kind;
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
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Pauses handlers on all nodes, and resumes them. */
@Path(AdminOperation.ROOT + "/pauses")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Outbox: pauses")
public class PausesResource {

    @Inject
    OutboxAdmin admin;

    @Inject
    Operator operator;

    public record Pauses(List<Pause> pauses) {}

    @GET
    @RequiresAccess(AdminOperation.PAUSES)
    @Operation(summary = "The pauses that are in force")
    @APIResponseSchema(Pauses.class)
    public Response pauses(@Context UriInfo address) {
        QueryInput.of(address).check();
        List<Pause> inForce = admin.pauses();
        return Answer.of(new Pauses(inForce), version(inForce));
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.PAUSE)
    @Operation(summary = "Pauses a handler, or all handlers of an event type")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.PAUSE))
    @APIResponseSchema(Answer.Changed.class)
    public Response pause(InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        Kind kind = input.oneOf("kind", Kind.class);
        if (kind == Kind.ALL) {
            input.problem("kind", "expected handler or type; pauses/everything is an address of its own");
        }
        String name = input.requiredText("name", PauseTarget.MAX_NAME);
        Attribution by = operator.because(input);
        input.check();
        PauseTarget target = new PauseTarget(kind, name);
        try {
            target.requireValidName();
        } catch (IllegalArgumentException e) {
            input.problem("name", e.getMessage());
            input.check();
        }
        return pause(target, by);
    }

    @POST
    @Path("everything")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.PAUSE_EVERYTHING)
    @Operation(summary = "Pauses all handlers")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.PAUSE_EVERYTHING))
    @APIResponseSchema(Answer.Changed.class)
    public Response pauseEverything(InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        Attribution by = operator.because(input);
        input.check();
        return pause(PauseTarget.everything(), by);
    }

    @POST
    @Path("resume")
    @Consumes(MediaType.APPLICATION_JSON)
    @RequiresAccess(AdminOperation.RESUME)
    @Operation(
            summary = "Ends a pause, named as it was paused; kind all has no name. If-Match is the ETag of the pauses")
    @RequestBody(content = @Content(mediaType = MediaType.APPLICATION_JSON, example = Example.RESUME))
    @APIResponseSchema(Answer.Changed.class)
    public Response resume(@HeaderParam("If-Match") String ifMatch, InputStream body) throws IOException {
        Input input = JsonInput.read(body);
        Kind kind = input.oneOf("kind", Kind.class);
        String name = kind == Kind.ALL ? "" : input.requiredText("name", PauseTarget.MAX_NAME);
        Attribution by = operator.because(input);
        input.check();
        try {
            return changed(resumed(new PauseTarget(kind, name), ifMatch, by), "This is not paused");
        } catch (IllegalArgumentException e) {
            input.problem("name", e.getMessage());
            input.check();
            throw e;
        }
    }

    boolean resumed(PauseTarget target, String ifMatch, Attribution by) {
        if (ifMatch == null || ETag.isAny(ifMatch)) {
            return admin.resume(target, by);
        }
        List<Pause> inForce = admin.pauses();
        version(inForce).check(ifMatch);
        Optional<Pause> seen =
                inForce.stream().filter(each -> each.target().equals(target)).findFirst();
        if (seen.isPresent() && !admin.resume(seen.get(), by)) {
            throw ETag.changed();
        }
        return seen.isPresent();
    }

    private static ETag version(List<Pause> inForce) {
        return ETag.of(inForce.toArray());
    }

    private Response pause(PauseTarget target, Attribution by) {
        return changed(admin.pause(target, by), "This is paused already");
    }

    private static Response changed(boolean changed, String otherwise) {
        if (!changed) {
            throw new ProblemException(ProblemType.NOTHING_TO_CHANGE, otherwise + "; nothing was changed.");
        }
        return Answer.of(new Answer.Changed(1));
    }
}
