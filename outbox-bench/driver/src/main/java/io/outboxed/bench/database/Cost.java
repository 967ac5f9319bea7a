package io.outboxed.bench.database;

/** What a run has cost, for each message. */
public record Cost(
        double applicationCpuMillis,
        double databaseCpuMillis,
        double rowsWritten,
        double rowsRead,
        double commits,
        double statements) {}
