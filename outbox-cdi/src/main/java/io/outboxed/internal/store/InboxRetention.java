package io.outboxed.internal.store;

import java.time.Duration;

/** Ends what the inbox remembers. On a connection that nothing else of the relay waits for. */
public interface InboxRetention {

    /**
     * Deletes rows that are older, in one statement.
     *
     * @param most how many at most
     * @return how many
     */
    int forget(Duration age, int most);
}
