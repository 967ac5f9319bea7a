package io.outboxed.bench.app;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes each event when it is due, by a schedule that is fixed in advance. A late publisher does not shift the
 * schedule, so a pause shows in the latency of all events that were due during it: coordinated omission can't hide it.
 */
@ApplicationScoped
public class OpenLoop {
    private static final long HEAD_START_NANOS = 50_000_000;

    @Resource(lookup = Executors.LOAD)
    ManagedExecutorService executor;

    @Inject
    Business business;

    @Inject
    Journey journey;

    String run(double rate, Duration length, int threads, long aggregates) {
        int events = (int) (rate * length.toMillis() / 1000);
        journey.prepare(events);
        long begin = System.nanoTime() + HEAD_START_NANOS;
        for (int i = 0; i < events; i++) {
            journey.due(i, begin + (long) (i * 1e9 / rate));
        }
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(executor.submit(() -> publish(next, events, begin, rate, aggregates)));
        }
        running.forEach(OpenLoop::await);
        return "events=" + events + "\nnanos=" + (System.nanoTime() - begin) + "\n";
    }

    private Void publish(AtomicInteger next, int events, long begin, double rate, long aggregates) throws Exception {
        String text = Texts.ofPayload(512);
        for (int index = next.getAndIncrement(); index < events; index = next.getAndIncrement()) {
            long due = begin + (long) (index * 1e9 / rate);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            business.paced(1 + index % aggregates, index, text);
        }
        return null;
    }

    private static void await(Future<?> running) {
        try {
            running.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the load was interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("publishing failed", e.getCause());
        }
    }
}
