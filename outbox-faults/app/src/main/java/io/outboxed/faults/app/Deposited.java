package io.outboxed.faults.app;

import io.outboxed.AggregateId;
import io.outboxed.EventType;

/**
 * An account's event.
 *
 * @param number which one of the account, from 1 without gaps
 * @param id of this very event: one that was rolled back has the number of another
 */
@EventType("faults.deposited")
public record Deposited(@AggregateId String account, long number, String id, Trouble trouble) {}
