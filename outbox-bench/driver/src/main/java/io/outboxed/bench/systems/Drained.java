package io.outboxed.bench.systems;

import io.outboxed.bench.database.Cost;

/**
 * How a backlog was drained.
 *
 * @param seconds from the first message to the last row gone
 */
public record Drained(int messages, double seconds, Cost cost) {

    public double perSecond() {
        return messages / seconds;
    }
}
