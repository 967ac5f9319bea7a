package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.OutboxRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Inserts messages, many with one statement, numbered in the order of the list. Not as a JDBC batch: before each batch
 * MySQL's driver asks the server whether the session is read-only, which is one more round trip.
 */
public final class MessageInsert {
    static final int MAX_ROWS = 50;
    /**
     * The limit for the payloads of one statement, which might otherwise be too large for a server. A single row may be
     * larger.
     */
    static final int MAX_BYTES = 1 << 20;

    private final Dialect dialect;
    private final List<String> statements;

    public MessageInsert(Dialect dialect, String prefix) {
        this.dialect = dialect;
        Sql sql = new Sql(dialect, prefix);
        this.statements =
                IntStream.rangeClosed(1, MAX_ROWS).mapToObj(sql::addMessages).toList();
    }

    public void insert(Connection connection, List<OutboxRow> rows) throws SQLException {
        int from = 0;
        while (from < rows.size()) {
            int end = end(rows, from);
            insertAtOnce(connection, rows.subList(from, end));
            from = end;
        }
    }

    /** The end of the statement that begins with this row. */
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

    private void insertAtOnce(Connection connection, List<OutboxRow> rows) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(statements.get(rows.size() - 1))) {
            int last = 0;
            for (OutboxRow row : rows) {
                last = bind(insert, last, row);
            }
            insert.executeUpdate();
        }
    }

    /** Each value has its own type: PostgreSQL accepts no untyped null for bytes. */
    private int bind(PreparedStatement insert, int last, OutboxRow row) throws SQLException {
        int i = last;
        insert.setObject(++i, dialect.uuidParameter(row.id()));
        insert.setInt(++i, row.shard());
        insert.setLong(++i, row.lane());
        insert.setString(++i, row.aggregateType());
        insert.setString(++i, row.aggregateId());
        insert.setString(++i, row.type());
        insert.setString(++i, row.payload());
        insert.setBytes(++i, row.payloadBinary());
        insert.setInt(++i, row.payloadSize());
        insert.setString(++i, row.headers());
        insert.setLong(++i, row.delayMicros());
        insert.setLong(++i, row.registryVersion());
        return i;
    }
}
