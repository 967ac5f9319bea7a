package io.outboxed.internal.retention;

import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;

/** Records what a batch has deleted in the transaction that deletes it: both are stored, or neither is. */
@FunctionalInterface
public interface BatchRecorder<T> {
    /** @param deleted after the batch; the transaction may be rolled back and the batch made again */
    void record(Jdbc jdbc, T deleted) throws SQLException;
}
