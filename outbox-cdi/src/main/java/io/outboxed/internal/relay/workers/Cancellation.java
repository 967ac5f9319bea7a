package io.outboxed.internal.relay.workers;

/** Whether whoever asked for a call still wants it. Asked by workers, from any thread. */
public interface Cancellation {

    /** A call that has not begun must not begin. */
    boolean isCancelled();
}
