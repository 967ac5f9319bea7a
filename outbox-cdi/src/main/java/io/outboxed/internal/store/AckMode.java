package io.outboxed.internal.store;

/** How a handler's success is recorded. */
public enum AckMode {
    /** The message's last open handler, and no delivery row can be left: the message is deleted, with any done rows. */
    LAST,
    /** READY or PARKED with further handlers to come: a done row is inserted, and the row's version is raised. */
    DONE,
    /** SPLIT with its last delivery row: the delivery row and the message are deleted. */
    LAST_WAITING,
    /** SPLIT with other delivery rows: the delivery row is deleted, and the message's version is raised. */
    WAITING
}
