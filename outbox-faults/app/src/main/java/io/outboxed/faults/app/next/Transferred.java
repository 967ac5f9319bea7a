package io.outboxed.faults.app.next;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.faults.app.HandlerFault;

/** The new type, of the same aggregates and for the same handler groups as the others. */
@EventType("faults.transferred")
public record Transferred(@AggregateId String account, long number, String id, HandlerFault fault) {}
