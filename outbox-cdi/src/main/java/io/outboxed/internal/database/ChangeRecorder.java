package io.outboxed.internal.database;

import java.sql.SQLException;
import java.util.UUID;

/** Records the change of a delivery in the transaction that makes it: both are stored, or neither is. */
@FunctionalInterface
public interface ChangeRecorder {
    ChangeRecorder NONE = (jdbc, messageId, handler) -> {};

    /** @param messageId null for a change of the handler itself */
    void record(Jdbc jdbc, UUID messageId, String handler) throws SQLException;
}
