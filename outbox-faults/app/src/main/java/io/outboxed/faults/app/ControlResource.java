package io.outboxed.faults.app;

import io.outboxed.faults.app.operator.Discards;
import io.outboxed.faults.app.operator.Replays;
import io.outboxed.faults.app.operator.Retries;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

/** One method for each command that the driver sends to a node. */
@Path("")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class ControlResource {

    @Inject
    WriterLoop writers;

    @Inject
    InjectedFaults faults;

    @Inject
    Ambush ambush;

    @Inject
    HeldConnections connections;

    @Inject
    Replays replays;

    @Inject
    Discards discards;

    @Inject
    Retries retries;

    @GET
    @Path("ready")
    public String ready() {
        return "";
    }

    @POST
    @Path("write")
    public String write(@QueryParam("rate") double rate) {
        writers.write(rate);
        return "";
    }

    @POST
    @Path("quiet")
    public String quiet() {
        writers.quiet();
        return writers.counts();
    }

    @POST
    @Path("hang")
    public String hang(@QueryParam("calls") int calls, @QueryParam("millis") long millis) {
        return Integer.toString(faults.hang(calls, millis));
    }

    @POST
    @Path("stick")
    public String stick(@QueryParam("calls") int calls) {
        return Integer.toString(faults.stick(calls));
    }

    @POST
    @Path("release")
    public String release() {
        faults.release();
        return "";
    }

    @POST
    @Path("memory")
    public String memory(@QueryParam("calls") int calls) {
        return Integer.toString(faults.fillMemory(calls));
    }

    @POST
    @Path("ambush")
    public String ambush(@QueryParam("handler") String handler) throws InterruptedException {
        return Boolean.toString(ambush.await(handler));
    }

    @POST
    @Path("connections")
    public String connections(@QueryParam("millis") long millis) {
        return Integer.toString(connections.hold(millis));
    }

    @POST
    @Path("cure")
    public String cure() {
        faults.cure();
        return "";
    }

    @POST
    @Path("replay")
    public String replay() throws Exception {
        return Integer.toString(replays.eachByItself());
    }

    @POST
    @Path("replay-in-bulk")
    public String replayInBulk() throws Exception {
        return Integer.toString(replays.inBulk());
    }

    @POST
    @Path("discard-in-bulk")
    public String discardInBulk() throws Exception {
        return Integer.toString(discards.inBulk());
    }

    @POST
    @Path("retry-in-bulk")
    public String retryInBulk() {
        return Integer.toString(retries.inBulk());
    }

    /** While nothing becomes a dead letter. */
    @POST
    @Path("replay-all")
    public String replayAll() {
        return Integer.toString(replays.all());
    }
}
