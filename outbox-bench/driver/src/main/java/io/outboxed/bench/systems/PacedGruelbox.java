package io.outboxed.bench.systems;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Pause;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** gruelbox transaction-outbox under the same paced load, handled in this process after the commit. */
public final class PacedGruelbox implements AutoCloseable {
    private static final int THREADS = 16;
    private static final String TEXT = "x".repeat(480);
    private static final long HEAD_START_NANOS = 50_000_000;
    private static final long ARRIVED_WITHIN_MILLIS = 60_000;

    private final Gruelbox gruelbox;
    private final ExecutorService publishers = Executors.newFixedThreadPool(THREADS);
    private volatile AtomicLongArray arrived = new AtomicLongArray(0);
    private final AtomicInteger handled = new AtomicInteger();

    public PacedGruelbox(BenchDatabase database) {
        this.gruelbox = new Gruelbox(database, new Gruelbox.Handler(this::arrived));
    }

    public List<Travel> run(double rate, Duration length) {
        int events = (int) (rate * length.toMillis() / 1000);
        arrived = new AtomicLongArray(events);
        handled.set(0);
        AtomicLongArray committed = new AtomicLongArray(events);
        AtomicInteger next = new AtomicInteger();
        long begin = System.nanoTime() + HEAD_START_NANOS;
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(CompletableFuture.runAsync(() -> publish(next, events, begin, rate, committed), publishers));
        }
        running.forEach(CompletableFuture::join);
        awaitArrivals(events);
        List<Travel> travels = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            travels.add(new Travel(due(begin, i, rate), committed.get(i), arrived.get(i)));
        }
        return travels.stream().filter(travel -> travel.handled() != 0).toList();
    }

    private void publish(AtomicInteger next, int events, long begin, double rate, AtomicLongArray committed) {
        for (int i = next.getAndIncrement(); i < events; i = next.getAndIncrement()) {
            int index = i;
            for (long left = due(begin, i, rate) - System.nanoTime();
                    left > 0;
                    left = due(begin, index, rate) - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            try {
                gruelbox.publish(
                        transaction -> {
                            transaction.addPostCommitHook(() -> committed.set(index, System.nanoTime()));
                            try (PreparedStatement insert = transaction
                                    .connection()
                                    .prepareStatement(
                                            "INSERT INTO bench_business (aggregate_no, note) VALUES (?, ?)")) {
                                insert.setLong(1, index);
                                insert.setString(2, "a business row");
                                insert.executeUpdate();
                            }
                        },
                        index,
                        TEXT);
            } catch (Exception e) {
                throw new IllegalStateException("publishing with gruelbox failed", e);
            }
        }
    }

    private static long due(long begin, int index, double rate) {
        return begin + (long) (index * 1e9 / rate);
    }

    private void arrived(long index) {
        if (arrived.compareAndSet((int) index, 0, System.nanoTime())) {
            handled.incrementAndGet();
        }
    }

    private void awaitArrivals(int events) {
        long deadline = System.currentTimeMillis() + ARRIVED_WITHIN_MILLIS;
        while (handled.get() < events && System.currentTimeMillis() < deadline) {
            gruelbox.flush();
            Pause.millis(500);
        }
    }

    @Override
    public void close() {
        publishers.shutdownNow();
        gruelbox.close();
    }
}
