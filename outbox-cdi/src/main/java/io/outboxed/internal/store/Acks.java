package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import java.util.List;

/** Successes of handlers outside a transaction. Idempotent, never fenced. */
public interface Acks {

    /**
     * Records successes of handlers that ran outside a transaction. One batch; a refused batch is halved. A READY or
     * PARKED row that has changed since is left alone: its shard has a new owner, who repeats it with all that follows.
     * Rows locked by another transaction are left as they are, and so are later rows of their lanes; all others are
     * settled, and then a {@link StoreException#isHeld held} failure is thrown: repeat.
     */
    void acknowledge(List<Ack> batch);
}
