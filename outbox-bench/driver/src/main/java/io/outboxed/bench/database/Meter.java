package io.outboxed.bench.database;

import java.util.List;

/** Measures what draining a backlog costs the application and the database. */
public final class Meter {
    private final BenchDatabase database;
    private final List<Long> applications;
    private final int messages;
    private final Counters countersBefore;
    private double applicationBefore;
    private double databaseBefore;

    private Meter(BenchDatabase database, List<Long> applications, int messages) {
        this.database = database;
        this.applications = applications;
        this.messages = messages;
        this.countersBefore = Counters.of(database);
    }

    /** To be called before the prepared backlog is inserted, so that its rows, read and written once, can be subtracted. */
    public static Meter beforeFilling(BenchDatabase database, List<Long> applications, int messages) {
        return new Meter(database, applications, messages);
    }

    /** The backlog is inserted and about to become visible. */
    public void start() {
        applicationBefore = applicationSeconds();
        databaseBefore = ProcessCpu.withForked(database.pid());
    }

    /** The last row is gone. */
    public Cost stop() {
        double application = applicationSeconds() - applicationBefore;
        double server = ProcessCpu.withForked(database.pid()) - databaseBefore;
        Counters counters = Counters.once(database, countersBefore.written() + 2L * messages)
                .since(countersBefore);
        return new Cost(
                1000 * application / messages,
                1000 * server / messages,
                (double) (counters.written() - messages) / messages,
                (double) (counters.read() - messages) / messages,
                (double) (counters.commits() - 1) / messages,
                (double) counters.statements() / messages);
    }

    private double applicationSeconds() {
        return applications.stream().mapToDouble(ProcessCpu::alone).sum();
    }
}
