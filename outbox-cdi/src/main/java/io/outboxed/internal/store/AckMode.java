package io.outboxed.internal.store;

/** How a handler's success is recorded. */
public enum AckMode {
    /** The message's last open handler, and no delivery row can be left: the message is deleted, with any done rows. */
    DELETE_MESSAGE,
    /** READY or PARKED with further handlers to come: a done row is inserted, and the row's version is raised. */
    ADD_DONE_ROW,
    /** SPLIT: the delivery row is deleted, and the message too with its last one; else the message's version is raised. */
    DELETE_DELIVERY
}
