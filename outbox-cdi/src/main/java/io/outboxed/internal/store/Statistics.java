package io.outboxed.internal.store;

import java.util.Map;

/** Queries for monitoring. They may take long, on a connection that no delivery waits for. */
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

    /** How much operators have changed within the last hour, by action, in up to 100,000 of the audit's rows. */
    Map<String, Long> operatorChanges();

    /** The database's clock, in microseconds since 1970 UTC. */
    long clock();
}
