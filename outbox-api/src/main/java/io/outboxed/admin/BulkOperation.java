package io.outboxed.admin;

import java.time.Instant;
import java.util.UUID;

/**
 * A change of many dead letters, or of many deliveries that wait, that the nodes make in the background. It is stored in
 * the database: if the node that works on it dies, another one continues.
 *
 * @param id of the operation
 * @param request what it does. Its filter has the bound that was set at the start: what dies later, or for a retry
 *     is stored later, is not included.
 *     After the end, {@code (not shown)} stands for the text of an error, which may be data of an event, and for a kind
 *     of error that is not the name of a class
 * @param attribution who started it, through what, and why
 * @param state whether it continues
 * @param matched how many met the filter at the start; counting stops at a million
 * @param changed how many it has changed so far; the rest had changed meanwhile, was skipped to keep the
 *     order or because its event was locked, or is still to come
 * @param startedAt on the database's clock
 * @param endedAt on the database's clock; null while it is running
 */
public record BulkOperation(
        UUID id,
        BulkRequest request,
        Attribution attribution,
        State state,
        long matched,
        long changed,
        Instant startedAt,
        Instant endedAt) {

    /** Whether an operation continues. */
    public enum State {
        /** Nodes work on it, or will. */
        RUNNING,
        /** Nothing that it may change is left. */
        COMPLETE,
        /** An operator has ended it; changes already made remain. */
        CANCELLED
    }
}
