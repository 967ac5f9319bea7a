package io.outboxed.faults.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/**
 * An event of an account.
 *
 * @param number its position in the account, from 1 without gaps
 * @param id of this very event: an event that was rolled back has the same number as another
 */
@EventType("faults.deposited")
public record Deposited(@AggregateId String account, long number, String id, HandlerFault fault) {}
