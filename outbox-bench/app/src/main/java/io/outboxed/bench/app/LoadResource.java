package io.outboxed.bench.app;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;

/** Starts the load generators; each request returns when its run is over. */
@Path("load")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class LoadResource {

    @Inject
    Business business;

    @Inject
    ClosedLoop closedLoop;

    @Inject
    OpenLoop openLoop;

    @Inject
    Journey journey;

    /** Runs as many business transactions as this number of threads can. */
    @POST
    @Path("transactions")
    public String transactions(
            @QueryParam("mode") Mode mode,
            @QueryParam("threads") int threads,
            @QueryParam("millis") long millis,
            @QueryParam("aggregates") @DefaultValue("10000") long aggregates) {
        String text = Texts.ofPayload(512);
        return closedLoop.run(threads, Duration.ofMillis(millis), n -> mode.run(business, n % aggregates, text));
    }

    /** Publishes events at a given rate, regardless of how fast they are handled. */
    @POST
    @Path("paced")
    public String paced(
            @QueryParam("rate") double rate,
            @QueryParam("millis") long millis,
            @QueryParam("threads") @DefaultValue("16") int threads,
            @QueryParam("aggregates") @DefaultValue("10000") long aggregates) {
        return openLoop.run(rate, Duration.ofMillis(millis), threads, aggregates);
    }

    /** Makes room for the arrivals of a run, on the nodes that do not publish. */
    @POST
    @Path("journeys")
    public String expect(@QueryParam("events") int events) {
        journey.prepare(events);
        return "events=" + events + "\n";
    }

    @GET
    @Path("journeys")
    public String journeys() {
        return journey.lines();
    }
}
