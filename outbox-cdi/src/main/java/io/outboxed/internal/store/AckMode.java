package io.outboxed.internal.store;

/** How a handler's success is recorded. */
public enum AckMode {
    /** The message's last open handler, and no delivery row can be left: the message is deleted, with any done rows. */
    LAST,
    /** READY or PARKED with further handlers to come: a done row is inserted, and the row's version is raised. */
    DONE,
    /** SPLIT: the delivery row is deleted, and the message too with its last one; else the message's version is raised. */
    WAITING
}
