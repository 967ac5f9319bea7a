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
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What this node has handled, and its heap. */
@Path("figures")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class FiguresResource {
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    @Inject
    Counts counts;

    /**
     * Answers when this many events are handled, or after the timeout: polling would add to the cost that is measured.
     */
    @GET
    public String figures(
            @QueryParam("until") @DefaultValue("0") long until, @QueryParam("millis") @DefaultValue("0") long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (counts.all() < until && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        return counts.lines();
    }

    @POST
    @Path("reset")
    public String reset() {
        counts.reset();
        return counts.lines();
    }

    /** The used heap after a full collection. */
    @POST
    @Path("heap")
    public String heap() {
        System.gc();
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return "used=" + heap.getUsed() + "\nmax=" + heap.getMax() + "\n" + counts.lines();
    }
}
