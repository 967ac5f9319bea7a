package io.outboxed.faults.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/** Like {@link Deposited}: the second type of the same aggregate and of the same handler groups. */
@EventType("faults.withdrawn")
public record Withdrawn(@AggregateId String account, long number, String id, HandlerFault fault) {}
