package io.outboxed.internal.store;

/** How a handler's success is recorded. */
public enum AckMode {
    /** The message's last open handler, no delivery row can be left: message (and any done rows) go. */
    LAST,
    /** READY or PARKED with further handlers to come: a done row, and the row's version grows. */
    DONE,
    /** SPLIT and the last delivery row: delivery row and message go. */
    LAST_WAITING,
    /** SPLIT with other delivery rows: the delivery row goes, and the message's version grows. */
    WAITING
}
