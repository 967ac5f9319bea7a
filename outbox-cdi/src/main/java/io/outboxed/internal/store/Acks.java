package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import java.util.List;

/** Records successes of handlers outside a transaction. Idempotent, never fenced. */
public interface Acks {

    /**
     * Records a batch of successes; a batch that the database rejects is halved. A READY or PARKED row that has changed
     * since is left alone: its shard has a new owner, which repeats it and everything that follows. Rows locked by
     * another transaction are left as they are, and so are later rows of their lanes; all others are recorded, and then
     * a failure is thrown of which {@link StoreException#isRowLocked} is true: repeat.
     *
     * @throws ClaimLostException if a row lacks a success that its node has counted before, because a failover has lost
     *     the commit: it is left alone. Others of a batch may be recorded or not: repeat each by itself
     */
    void acknowledge(List<Ack> batch);
}
