package io.outboxed.faults.app;

/** What an event does to its handlers. The driver reads the names. */
public enum Trouble {
    NONE,
    /** The first try of the transactional handler fails. */
    FLAKY_EFFECT,
    /** The first try of the outside handler fails. */
    FLAKY_CALL,
    /** Every try of the outside handler fails until the driver says that the receiver is well again. */
    POISON,
    /** The outside handler gives up at once, always: its dead letter has to be there at the end. */
    CONDEMNED;

    static Trouble of(double draw) {
        if (draw < 0.97) {
            return NONE;
        }
        return draw < 0.98 ? FLAKY_EFFECT : draw < 0.995 ? FLAKY_CALL : draw < 0.998 ? POISON : CONDEMNED;
    }
}
