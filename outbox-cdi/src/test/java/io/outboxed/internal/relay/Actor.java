package io.outboxed.internal.relay;

/** Something in a simulation that takes steps. */
interface Actor {
    long NEVER = Long.MAX_VALUE;

    /** When its next step is due, on the simulated clock; {@link #NEVER} as long as it waits for others. */
    long dueAt();

    void step();
}
