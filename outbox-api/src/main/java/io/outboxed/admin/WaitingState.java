package io.outboxed.admin;

/** Where a message or one of its deliveries waits. */
public enum WaitingState {
    /** Messages that the relay can take immediately. */
    READY,
    /** Messages that are delayed, or belong to one of too many long backlogs. */
    PARKED,
    /** Deliveries that wait for an attempt, or behind one that does. */
    WAITING,
    /** Deliveries that wait for an operator. */
    BLOCKED;

    /**
     * What is listed in this state.
     *
     * @return true for deliveries, each with its handler; false for messages
     */
    public boolean isOfDeliveries() {
        return this == WAITING || this == BLOCKED;
    }
}
