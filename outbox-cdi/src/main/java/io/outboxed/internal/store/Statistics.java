package io.outboxed.internal.store;

/** For onlookers: may take its time, on a connection that nothing else waits for. */
public interface Statistics {

    /** What is stored and not done, of all shards. Several statements; rows that change meanwhile may be counted twice. */
    Backlog backlog();

    /** The database's clock, in microseconds since 1970 UTC. */
    long clock();
}
