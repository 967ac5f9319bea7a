package io.outboxed.internal.store;

/** For monitoring: may take its time, on a connection that nothing else waits for. */
public interface Statistics {

    /** Messages not yet done, of all shards. Several statements; rows that change meanwhile may be counted twice. */
    Backlog backlog();

    /** The database's clock, in microseconds since 1970 UTC. */
    long clock();
}
