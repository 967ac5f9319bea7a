package io.outboxed.internal.relay;

import java.util.Optional;

/** How one try of a handler ended. */
public sealed interface Outcome {

    /** For traces: the failure's class; empty where there was none. */
    default Optional<String> errorType() {
        if (this instanceof Failed failed) {
            return nameOf(failed.failure());
        }
        if (this instanceof Lost lost) {
            return nameOf(lost.failure());
        }
        return this instanceof Unknown unknown ? nameOf(unknown.failure()) : Optional.empty();
    }

    private static Optional<String> nameOf(Throwable failure) {
        return Optional.of(failure == null ? "_OTHER" : failure.getClass().getName());
    }

    /**
     * The handler succeeded.
     *
     * @param acknowledged recorded in the handler's own transaction, which is committed: where the message's row stays, its
     *     version is two higher now; false = the success is still to be recorded
     */
    record Done(boolean acknowledged) implements Outcome {}

    /** The handler failed and its transaction, if it had one, is rolled back. Without the container's wrappers. */
    record Failed(Throwable failure) implements Outcome {}

    /** The node's lease lapsed before the call began: nothing has happened. */
    record NotBegun() implements Outcome {}

    /** The call was left out, since what was called before it in its lane did not succeed or took long: nothing has happened. */
    record NotReached() implements Outcome {}

    /** The row was not as read, nothing is committed: no attempt counts, the row is to be read again. */
    record Lost(Throwable failure) implements Outcome {}

    /** The commit failed, only the database knows how it ended: no attempt counts, the row is to be read again. */
    record Unknown(Throwable failure) implements Outcome {}
}
