package io.outboxed.internal.store;

import java.time.Duration;

/** Deletes old rows of the inbox, on a connection that the rest of the relay does not use. */
public interface InboxRetention {

    /**
     * Deletes rows older than this age, in one statement.
     *
     * @param most how many rows at most
     * @return how many rows were deleted
     */
    int forget(Duration age, int most);
}
