package io.outboxed.internal.relay;

/** Where a handler's success is recorded. */
public enum HandlerMode {
    /** In the transaction that runs the handler. */
    TRANSACTIONAL,
    /** In the transaction that runs the handler, which takes several events of an aggregate in one call. */
    BATCHED,
    /** Afterwards: the handler runs without a transaction or in its own. */
    OUTSIDE,
    /** Afterwards: the handler passes the event to a receiver, and others may begin before that has ended. */
    FORWARDER;

    public boolean isOutside() {
        return this == OUTSIDE || this == FORWARDER;
    }

    public boolean isForwarder() {
        return this == FORWARDER;
    }
}
