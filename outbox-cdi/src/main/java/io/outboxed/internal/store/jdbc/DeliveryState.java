package io.outboxed.internal.store.jdbc;

/** The column state of outbox_delivery. */
final class DeliveryState {
    /** Waits in its lane. */
    static final int PENDING = 0;
    /** Succeeded while other handlers of the message are still open; only with READY and PARKED rows. */
    static final int DONE = 1;
    /** Waits for an operator. */
    static final int BLOCKED = 2;

    private DeliveryState() {}
}
