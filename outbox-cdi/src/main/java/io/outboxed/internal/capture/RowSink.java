package io.outboxed.internal.capture;

import io.outboxed.internal.store.OutboxRow;
import java.util.List;

/** What capture does on the database, in the calling thread's transaction. */
interface RowSink {
    /** Before it returns. */
    void write(List<OutboxRow> rows);

    /** Waits until no other transaction has locked the aggregate; the lock ends with the transaction. */
    void lock(String aggregateId);
}
