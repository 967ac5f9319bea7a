package io.outboxed.faults.app;

import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
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

    private static final int CALLS_OF_A_REQUEST = 5;
    private static final long AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @Resource(lookup = Executors.WRITERS)
    ManagedExecutorService executor;

    @Inject
    Writers writers;

    @Inject
    Journal journal;

    @Inject
    Instance<NextVersion> next;

    private final Map<Kind, AtomicLong> committed = counters();
    private final Map<Kind, AtomicLong> failed = counters();
    private volatile boolean writing;

    private enum Kind {
        LOCKED(0.5),
        VERSIONED(0.85),
        BULK(0.9),
        TRANSFER(0.95),
        REMINDER(0.97),
        REQUEST(1);

        private final double upTo;

        Kind(double upTo) {
            this.upTo = upTo;
        }

        static Kind of(double draw) {
            return Arrays.stream(values())
                    .filter(kind -> draw < kind.upTo)
                    .findFirst()
                    .orElseThrow();
        }
    }

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

    /** A line for each kind of transaction: its name, how many ended well, how many failed. */
    String counts() {
        return Arrays.stream(Kind.values())
                .map(kind -> kind + " " + committed.get(kind) + " " + failed.get(kind))
                .collect(Collectors.joining("\n"));
    }

    private static Map<Kind, AtomicLong> counters() {
        Map<Kind, AtomicLong> counters = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            counters.put(kind, new AtomicLong());
        }
        return counters;
    }

    private void loop(long pauseNanos) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (writing) {
            Kind kind = Kind.of(random.nextDouble());
            if (kind == Kind.TRANSFER && !next.isResolvable()) {
                kind = Kind.REMINDER;
            }
            try {
                write(kind, random);
                committed.get(kind).incrementAndGet();
            } catch (RuntimeException e) {
                failed.get(kind).incrementAndGet();
                LockSupport.parkNanos(AFTER_FAILURE_NANOS);
            }
            LockSupport.parkNanos(random.nextLong(2 * pauseNanos));
        }
    }

    private void write(Kind kind, ThreadLocalRandom random) {
        switch (kind) {
            case LOCKED -> writers.locked(account(random));
            case VERSIONED -> writers.versioned(account(random));
            case BULK -> {
                long first = random.nextLong(1, ACCOUNTS - 4);
                writers.bulk(
                        List.copyOf(LongStream.range(first, first + 5).boxed().toList()), 4);
            }
            case TRANSFER -> writers.transfer(random.nextLong(1, WITH_TRANSFERS + 1));
            case REMINDER -> writers.remind();
            case REQUEST -> request(UUID.randomUUID().toString());
        }
    }

    /** As a client that repeats a request until it is answered, and once more because the answer was lost. */
    private void request(String id) {
        RuntimeException failure = null;
        int answers = 0;
        for (int call = 1; call <= CALLS_OF_A_REQUEST && answers < 2; call++) {
            try {
                writers.request(id);
                answers++;
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (answers == 0) {
            throw failure;
        }
        journal.answered(id);
    }

    private static long account(ThreadLocalRandom random) {
        return random.nextLong(1, ACCOUNTS + 1);
    }
}
