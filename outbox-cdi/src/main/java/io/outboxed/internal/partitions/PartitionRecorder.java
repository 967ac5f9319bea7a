package io.outboxed.internal.partitions;

import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;

/**
 * Records the changes of a run, so that none is made without its record: on PostgreSQL in the transaction of the change,
 * on MySQL and MariaDB before it and again after it, because each of their changes is a transaction of its own.
 */
@FunctionalInterface
public interface PartitionRecorder {
    /** For a node. */
    PartitionRecorder NONE = (jdbc, progress) -> {};

    /** If it throws, the change is not made. */
    void record(Jdbc jdbc, PartitionProgress progress) throws SQLException;
}
