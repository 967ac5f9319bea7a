package io.outboxed.faults.app;

/** What an event does to its handlers. The driver reads the names. */
public enum HandlerFault {
    NONE,
    /** The first attempt of the transactional handler fails. */
    FLAKY_EFFECT,
    /** The first attempt of the outside handler fails. */
    FLAKY_CALL,
    /** Every attempt of the outside handler fails until the driver reports that the receiver has recovered. */
    POISON,
    /** The outside handler always gives up at once: its dead letter has to exist at the end. */
    CONDEMNED;

    static HandlerFault of(double draw) {
        if (draw < 0.97) {
            return NONE;
        }
        return draw < 0.98 ? FLAKY_EFFECT : draw < 0.995 ? FLAKY_CALL : draw < 0.998 ? POISON : CONDEMNED;
    }
}
