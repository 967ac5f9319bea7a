package io.outboxed.it.handlers;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** One event for each way to handle it. */
public final class Events {

    private Events() {}

    @EventType("it.quick")
    public record Quick(@AggregateId String id) {}

    @EventType("it.hopeless")
    public record Hopeless(@AggregateId String id) {}

    @EventType("it.joined")
    public record Joined(@AggregateId String id) {}

    @EventType("it.created")
    public record Created(@AggregateId String id) {}

    @EventType("it.session")
    public record Session(@AggregateId String id) {}

    @EventType("it.outside")
    public record Outside(@AggregateId String id) {}

    @EventType("it.rolled-back")
    public record RolledBack(@AggregateId String id) {}

    @EventType("it.marked")
    public record Marked(@AggregateId String id) {}

    @EventType("it.flushed")
    public record Flushed(@AggregateId String id) {}

    @EventType("it.two")
    public record Two(@AggregateId String id) {}

    @EventType("it.first")
    public record First(@AggregateId String id) {}

    @EventType("it.repeated")
    public record Repeated(@AggregateId String id) {}

    @EventType("it.keyed")
    public record Keyed(@AggregateId String id) {}

    @EventType("it.second")
    public record Second(@AggregateId String id) {}
}
