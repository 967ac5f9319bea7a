package io.outboxed.internal.relay.workers;

/** Who has requested a call, and may have cancelled it since. Queried by workers, from any thread. */
public interface CallRequester {

    /** A call that has not begun must not begin. */
    boolean isCancelled();
}
