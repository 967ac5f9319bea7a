package io.outboxed.internal.database;

import java.sql.SQLException;

/** Records what a batch has changed in the transaction that changes it: both are stored, or neither is. */
@FunctionalInterface
public interface BatchRecorder<T> {
    /** @param changed after the batch; the transaction may be rolled back and the batch made again */
    void record(Jdbc jdbc, T changed) throws SQLException;
}
