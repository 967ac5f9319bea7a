package io.outboxed.internal.store;

/** Queries for monitoring. They may take long, on a connection that is used for nothing else. */
public interface Statistics {

    /** Counts as far as the metrics do. */
    default Backlog backlog() {
        return backlog(Backlog.MAX_COUNTED);
    }

    /**
     * Messages of all shards that are not done. Uses several statements, so rows that change meanwhile may be counted
     * twice.
     *
     * @param most where counting the rows of a kind stops, if not earlier
     */
    Backlog backlog(int most);

    /** The database's clock, in microseconds since 1970 UTC. */
    long clock();
}
