package io.outboxed.internal.capture;

import io.outboxed.internal.store.OutboxRow;
import java.util.List;

/** Writes rows into the calling thread's transaction before it returns. */
@FunctionalInterface
interface RowSink {
    void write(List<OutboxRow> rows);
}
