package io.outboxed.bench.jmh;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** An event with about 512 bytes of JSON. */
@EventType("bench.order")
public record Order(@AggregateId long order, String customer, int quantity, String text) {

    public static Order sample() {
        return new Order(4711, "ada", 3, "x".repeat(450));
    }
}
