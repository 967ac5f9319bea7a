package io.outboxed.internal.store;

/** Queries for monitoring. They may take long, on a connection that is used for nothing else. */
public interface Statistics {

    /**
     * Messages of all shards that are not done. Uses several statements, so rows that change meanwhile may be counted
     * twice.
     */
    Backlog backlog();

    /** The database's clock, in microseconds since 1970 UTC. */
    long clock();
}
