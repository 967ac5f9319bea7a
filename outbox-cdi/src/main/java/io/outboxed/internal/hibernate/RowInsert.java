package io.outboxed.internal.hibernate;

import java.util.List;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.entity.EntityPersister;

/**
 * Inserts messages with a session, numbered in the order of the list. Does what Hibernate's stateless session does for an
 * entity, but in the container's session, which is part of the transaction. The persistence context stays empty: nothing
 * is flushed or compared.
 */
public final class RowInsert {
    static final int MAX_ROWS = 50;
    /**
     * The limit for the payloads of one batch, which might otherwise be too large for a server. A single row may be
     * larger.
     */
    static final int MAX_BYTES = 1 << 20;

    private RowInsert() {}

    /** All rows are inserted when this method returns. */
    public static void insert(SharedSessionContractImplementor session, List<OutboxRow> rows) {
        int from = 0;
        while (from < rows.size()) {
            int end = end(rows, from);
            insertAtOnce(session, rows.subList(from, end));
            from = end;
        }
    }

    /** The end of the batch that begins with this row. */
    static int end(List<OutboxRow> rows, int from) {
        int most = Math.min(rows.size(), from + MAX_ROWS);
        long bytes = rows.get(from).payloadSize();
        for (int end = from + 1; end < most; end++) {
            bytes += rows.get(end).payloadSize();
            if (bytes > MAX_BYTES) {
                return end;
            }
        }
        return most;
    }

    /** One row is no batch: MySQL's driver asks the server before each batch whether the session is read-only. */
    private static void insertAtOnce(SharedSessionContractImplementor session, List<OutboxRow> rows) {
        EntityPersister entity = session.getEntityPersister(null, rows.get(0));
        session.setJdbcBatchSize(rows.size() == 1 ? 1 : MAX_ROWS);
        for (OutboxRow row : rows) {
            entity.getInsertCoordinator().insert(row, row.id(), entity.getValues(row), session);
        }
        session.getJdbcCoordinator().executeBatch();
    }
}
