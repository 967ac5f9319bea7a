package io.outboxed.faults.history;

import java.util.List;

/**
 * A bulk replay that a node has stored, as the database has it after the run.
 *
 * @param endedAt {@link Long#MAX_VALUE} if no node has completed it
 * @param replayed dead letters
 */
public record BulkReplay(long startedAt, long endedAt, long replayed) {

    public boolean isUnfinished() {
        return endedAt == Long.MAX_VALUE;
    }

    /** Whether the database or one of the nodes could not work meanwhile. */
    public boolean wasInterrupted(Outages outages, List<String> nodes) {
        Spans lifetime = Spans.of(List.of(new Spans.Span(startedAt, endedAt)));
        Spans down = outages.down(Outages.DATABASE);
        for (String node : nodes) {
            down = down.or(outages.down(node));
        }
        return lifetime.and(down).length() > 0;
    }
}
