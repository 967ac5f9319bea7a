package io.outboxed.bench.systems;

import io.outboxed.bench.database.Cost;

/**
 * The result of draining a backlog.
 *
 * @param seconds from the first handled message until the last row is gone
 */
public record Drained(int messages, double seconds, Cost cost) {

    public double perSecond() {
        return messages / seconds;
    }
}
