package io.outboxed.internal.relay.workers;

/** Who has requested a call, and may have cancelled it since. */
public interface CallRequester {

    /** A call that has not begun must not begin. Queried by workers, from any thread. */
    boolean isCancelled();

    /** It is in the queue: from now on its end will be reported. Implementations must not allocate memory. */
    default void queued() {}

    /** It has left the queue without having begun. */
    default void takenBack() {}
}
