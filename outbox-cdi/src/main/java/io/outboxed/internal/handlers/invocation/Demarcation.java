package io.outboxed.internal.handlers.invocation;

import io.outboxed.internal.relay.HandlerMode;

/** Who begins the transaction of a delivery, and where. */
public enum Demarcation {
    /** The delivery interceptor, inside Fault Tolerance: every retry has its own transaction. */
    EACH_ATTEMPT,
    /** The caller of the observer: its container wants a transaction to be there already. */
    AROUND,
    /** Neither: the handler suspends a transaction or has its own. */
    OUTSIDE;

    HandlerMode mode() {
        return this == OUTSIDE ? HandlerMode.OUTSIDE : HandlerMode.TRANSACTIONAL;
    }
}
