package io.outboxed.internal.store.jdbc.caller;

import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.sql.CallerSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Inserts the row of a receiver and a message in the caller's transaction, unless it exists. If another transaction has
 * inserted it, the insert waits for the end of that transaction. A row that exists causes no error in the database,
 * which would end the transaction on PostgreSQL.
 */
public final class InboxInsert {
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final int H2_DUPLICATE_KEY = 23505;
    /** An old row may be deleted between the two statements. */
    private static final int TRIES = 3;

    private static final int ROWS_IN_A_STATEMENT = 50;

    private final Dialect dialect;
    private final CallerSql sql;

    public InboxInsert(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = new CallerSql(dialect, prefix);
    }

    /**
     * @param call identifies this call
     * @return the first call for the message: the given one if it has inserted the row
     */
    public UUID firstCall(Connection connection, String receiver, String messageId, UUID call) throws SQLException {
        Jdbc jdbc = new Jdbc(connection, dialect);
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            // on MySQL an existing row counts 0 or 1, depending on useAffectedRows
            if (insert(jdbc, receiver, messageId, call) == 1 && !dialect.isMySqlFamily()) {
                return call;
            }
            Optional<UUID> found = jdbc.first(sql.received, row -> jdbc.uuid(row, "first_call"), receiver, messageId);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new SQLException(
                "the row was committed after this transaction's snapshot was taken", SERIALIZATION_FAILURE);
    }

    /** Which of these rows, inserted in this transaction, are gone. Does not wait for other transactions. */
    public List<InboxEntry> missing(Connection connection, List<InboxEntry> entries) throws SQLException {
        Jdbc jdbc = new Jdbc(connection, dialect);
        List<InboxEntry> missing = new ArrayList<>();
        for (List<InboxEntry> part : Chunks.of(entries, ROWS_IN_A_STATEMENT)) {
            List<Object> keys = new ArrayList<>();
            part.forEach(entry -> keys.addAll(List.of(entry.receiver(), entry.messageId())));
            Set<UUID> calls = new HashSet<>(
                    jdbc.list(sql.firstCalls(part.size()), row -> jdbc.uuid(row, "first_call"), keys.toArray()));
            part.stream().filter(entry -> !calls.contains(entry.call())).forEach(missing::add);
        }
        return missing;
    }

    private int insert(Jdbc jdbc, String receiver, String messageId, UUID call) throws SQLException {
        try {
            return jdbc.update(sql.addReceived, receiver, messageId, call);
        } catch (SQLException e) {
            // H2 has no clause for duplicates, but undoes only the statement
            if (dialect == Dialect.H2 && e.getErrorCode() == H2_DUPLICATE_KEY) {
                return 0;
            }
            throw e;
        }
    }
}
