package io.outboxed.internal.partitions;

import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The partitions of a real history. */
abstract class PartitionsContract
        implements NewPartitionsContract,
                HistoryTailContract,
                DroppedPartitionsContract,
                PartitionAuditContract,
                PartitionLocksContract,
                UnsuitableHistoryContract {
    private Connection admin;
    private OldRows rows;

    @BeforeEach
    final void createTables() throws SQLException {
        admin = connect();
        execute("DROP TABLE IF EXISTS " + HISTORY);
        new Schema(this::connect, dialect(), PREFIX).create();
        execute("DELETE FROM " + PREFIX + "audit");
        rows = new OldRows(admin, dialect(), PREFIX);
    }

    @AfterEach
    final void close() throws SQLException {
        admin.close();
    }

    @Override
    public final Connection admin() {
        return admin;
    }

    @Override
    public final OldRows rows() {
        return rows;
    }
}
