package io.outboxed.internal.relay.workers;

/** Whether a call has been cancelled since it was requested. Queried by workers, from any thread. */
public interface Cancellation {

    /** A call that has not begun must not begin. */
    boolean isCancelled();
}
