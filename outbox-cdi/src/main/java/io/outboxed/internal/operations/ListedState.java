package io.outboxed.internal.operations;

import java.util.Locale;

/** Where a message or a delivery waits. */
public enum ListedState {
    /** Messages that the relay can take immediately. */
    READY(false, 0),
    /** Messages that are delayed, or of one of too many long backlogs. */
    PARKED(false, 2),
    /** Deliveries that wait for an attempt, or behind one that does. */
    WAITING(true, 0),
    /** Deliveries that wait for an operator. */
    BLOCKED(true, 2);

    private final boolean delivery;
    private final int column;

    ListedState(boolean delivery, int column) {
        this.delivery = delivery;
        this.column = column;
    }

    /** Whether rows of outbox_delivery have it, and not rows of outbox_message. */
    boolean isOfDelivery() {
        return delivery;
    }

    /** Its value in the table. */
    int column() {
        return column;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
