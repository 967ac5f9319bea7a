package io.outboxed.internal.relay;

import java.util.Objects;
import java.util.Optional;

/** How one attempt of a handler ended. */
public sealed interface Outcome {

    /** The failure's class, for traces; empty if there was no failure. */
    default Optional<String> errorType() {
        return Optional.empty();
    }

    /** There is a failure, of the handler or of its transaction. */
    sealed interface Unsuccessful extends Outcome {
        Throwable failure();

        @Override
        default Optional<String> errorType() {
            return Optional.of(failure().getClass().getName());
        }
    }

    /**
     * The handler succeeded.
     *
     * @param acknowledged true: recorded in the handler's own transaction, which is committed; if the message's row
     *     remains, its version is two higher now. False: an acknowledger records it before the loop learns of it; then
     *     the version of a row that remains is one higher
     */
    record Done(boolean acknowledged) implements Outcome {}

    /** The handler failed and its transaction, if it had one, is rolled back. Without the container's wrappers. */
    record Failed(Throwable failure) implements Unsuccessful {
        public Failed {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /** The node's lease expired, or was about to, before the call began: nothing was done. */
    record NotBegun() implements Outcome {}

    /**
     * The call was skipped, because the call before it in its lane did not succeed or took too long: nothing was done.
     */
    record NotReached() implements Outcome {}

    /**
     * The row had changed since it was read, or has lost an earlier success, and nothing was committed or recorded. The
     * attempt does not count; the row has to be read again.
     */
    record Lost(Throwable failure) implements Unsuccessful {
        public Lost {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * Its transaction could not begin, or could not claim its row now (no connection, a lock): the handler was not called.
     * The attempt does not count.
     */
    record NoTransaction(Throwable failure) implements Unsuccessful {
        public NoTransaction {
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * The commit failed, and only the database knows how it ended. The attempt does not count; the row has to be read
     * again.
     */
    record Unknown(Throwable failure) implements Unsuccessful {
        public Unknown {
            Objects.requireNonNull(failure, "failure");
        }
    }
}
