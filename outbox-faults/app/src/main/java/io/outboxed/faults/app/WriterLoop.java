package io.outboxed.faults.app;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * Writes at a limited rate until the driver stops it. A failed transaction is not repeated; the next one is run
 * instead.
 */
@ApplicationScoped
public class WriterLoop {
    private static final int THREADS = 4;
    private static final int ACCOUNTS = 40;
    /** Only these get events that the previous version does not know: they wait while no node knows them. */
    private static final int WITH_TRANSFERS = 4;

    private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @Resource(lookup = Executors.WRITERS)
    ManagedExecutorService executor;

    @Inject
    Writers writers;

    @Inject
    Instance<NextVersion> next;

    private final AtomicLong failed = new AtomicLong();
    private volatile boolean writing;

    /** @param rate transactions per second */
    synchronized void write(double rate) {
        if (writing) {
            return;
        }
        writing = true;
        for (int i = 0; i < THREADS; i++) {
            executor.submit(() -> loop((long) (THREADS * 1e9 / rate)));
        }
    }

    @PreDestroy
    void quiet() {
        writing = false;
    }

    long failed() {
        return failed.get();
    }

    private void loop(long pauseNanos) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (writing) {
            try {
                write(random);
            } catch (RuntimeException e) {
                failed.incrementAndGet();
                LockSupport.parkNanos(AFTER_FAILURE_NANOS);
            }
            LockSupport.parkNanos(random.nextLong(2 * pauseNanos));
        }
    }

    private void write(ThreadLocalRandom random) {
        double kind = random.nextDouble();
        if (kind < 0.5) {
            writers.locked(account(random));
        } else if (kind < 0.85) {
            writers.versioned(account(random));
        } else if (kind < 0.9) {
            long first = random.nextLong(1, ACCOUNTS - 4);
            writers.bulk(List.copyOf(LongStream.range(first, first + 5).boxed().toList()), 4);
        } else if (kind < 0.95 && next.isResolvable()) {
            writers.transfer(random.nextLong(1, WITH_TRANSFERS + 1));
        } else {
            writers.remind();
        }
    }

    private static long account(ThreadLocalRandom random) {
        return random.nextLong(1, ACCOUNTS + 1);
    }
}
