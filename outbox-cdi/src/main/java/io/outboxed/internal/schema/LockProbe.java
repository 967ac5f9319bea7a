package io.outboxed.internal.schema;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.store.sql.ProbeSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Proves with two connections, one of the relay and one of the application, that the database's row locks have an
 * effect (some databases accept the clause and ignore it), and that both connections lead to the same database.
 */
public final class LockProbe {
    private static final int MAX_ATTEMPTS = 20;

    private final ConnectionSource own;
    private final ConnectionSource pool;
    private final Dialect dialect;
    private final ProbeSql sql;

    /**
     * @param own opens the relay's connections
     * @param pool opens the application's
     */
    public LockProbe(ConnectionSource own, ConnectionSource pool, Dialect dialect, String prefix) {
        this.own = own;
        this.pool = pool;
        this.dialect = dialect;
        this.sql = new ProbeSql(dialect, prefix);
    }

    /** Rejects a database whose row locks have no effect, or which does not skip locked rows. */
    public void check() {
        try (RelayConnection first = RelayConnection.open(own, dialect);
                RelayConnection second = RelayConnection.open(pool, dialect)) {
            OneTransaction.run(
                    new Jdbc(first.connection(), dialect),
                    one -> OneTransaction.run(new Jdbc(second.connection(), dialect), two -> {
                        probe(first.connection(), second.connection());
                        return null;
                    }));
        } catch (SQLException e) {
            if (SqlFailure.isTransient(e)) {
                throw SqlFailure.toStoreException("testing row locks", e);
            }
            throw new OutboxException(
                    "OUTBOX-0306",
                    "Outboxed could not test the database's row locks: " + e.getMessage() + " (vendor code "
                            + e.getErrorCode() + ", SQLState " + e.getSQLState() + "). Nothing was changed.",
                    e);
        }
    }

    private void probe(Connection first, Connection second) throws SQLException {
        if (read(first, sql.probe).isEmpty()) {
            throw refused("row 'probe' of the meta table is missing");
        }
        if (read(second, sql.probeFree).isPresent()) {
            // fails if the session is gone, and its lock with it: that says nothing about the database
            read(first, sql.probe);
            throw refused("a row locked by one connection could be locked by another one, or outbox.datasource.url"
                    + " and java:app/jdbc/outbox point to different databases");
        }
        first.rollback();
        second.rollback();
        // another node that starts now may hold the row for a moment
        for (int attempt = 1; read(second, sql.probeFree).isEmpty(); attempt++) {
            second.rollback();
            if (attempt == MAX_ATTEMPTS) {
                throw refused("an unlocked row was skipped as locked");
            }
            read(first, sql.probe);
            first.rollback();
        }
        second.rollback();
    }

    private Optional<Long> read(Connection connection, String text) throws SQLException {
        return new Jdbc(connection, dialect).first(text, row -> row.getLong("setting"));
    }

    private OutboxException refused(String why) {
        return new OutboxException(
                "OUTBOX-0307",
                "This " + dialect + " database can't be used: " + why
                        + ". Two nodes could deliver the same message at the"
                        + " same time. Nothing was changed. Use a database whose FOR UPDATE SKIP LOCKED works, without"
                        + " a"
                        + " proxy that rewrites or splits statements.");
    }
}
