package io.outboxed.bench.database;

/** The cost of a run, for each message. */
public record Cost(
        double applicationCpuMillis,
        double databaseCpuMillis,
        double rowsWritten,
        double rowsRead,
        double commits,
        double statements) {}
