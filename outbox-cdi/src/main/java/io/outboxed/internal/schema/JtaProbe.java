package io.outboxed.internal.schema;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.sql.ProbeSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Proves that what is written through one of the application's ways to the database is rolled back with the JTA
 * transaction. A connection that does not take part commits each statement separately: events of failed transactions
 * would be delivered. Also whether what is written there is stored as it is: the way may have a character set of its own.
 */
public final class JtaProbe {
    private final ConnectionSource own;
    private final Dialect dialect;
    private final ProbeSql sql;

    /** What the probe does on a connection. */
    @FunctionalInterface
    public interface Write {
        void on(Connection connection) throws SQLException;
    }

    /** Begins a JTA transaction, lets the probe write in it on such a connection, and rolls it back. */
    @FunctionalInterface
    public interface Way {
        /** @throws Exception any exception of JTA or JPA */
        void rolledBack(Write write) throws Exception;
    }

    /** @param own opens connections that take part in no transaction */
    public JtaProbe(ConnectionSource own, Dialect dialect, String prefix) {
        this.own = own;
        this.dialect = dialect;
        this.sql = new ProbeSql(dialect, prefix);
    }

    /** @param name used in messages */
    public void check(String name, Way way) {
        String mine = row();
        List<String> changes = new ArrayList<>();
        try {
            way.rolledBack(connection -> {
                Jdbc jdbc = new Jdbc(connection, dialect);
                new TextProbe(sql).check(name, jdbc, changes);
                jdbc.update(sql.writeProbe, mine);
            });
        } catch (Exception e) {
            throw failed(name, e);
        }
        if (hasStayed(name, mine)) {
            throw new OutboxException(
                    "OUTBOX-0309",
                    name + " takes part in no JTA transaction: a row written there survived a rollback, so events of"
                            + " transactions that failed would be delivered. Its definition says so: jta=\"false\" on"
                            + " WildFly,"
                            + " transactional=\"false\" on Open Liberty and in <data-source> or @DataSourceDefinition,"
                            + " non"
                            + " transactional connections on Payara. Remove that setting. Nothing was changed.");
        }
        if (!changes.isEmpty()) {
            throw new OutboxException("OUTBOX-0318", changes.get(0) + " Nothing was changed.");
        }
    }

    /**
     * Whether what is written there stays after a rollback.
     *
     * @return false also if it leads to another database, where these tables are missing, or to one that is down
     */
    public boolean isOutsideJta(String name, Way way) {
        String mine = row();
        if (!isRun(way, sql.writeProbe, mine)) {
            return false;
        }
        boolean stayed = hasStayed(name, mine);
        if (!stayed) {
            // in the outbox of another database it may have stayed
            isRun(way, sql.clearProbe, mine);
        }
        return stayed;
    }

    private boolean isRun(Way way, String statement, String row) {
        try {
            way.rolledBack(connection -> new Jdbc(connection, dialect).update(statement, row));
            return true;
        } catch (Exception notTheseTables) {
            return false;
        }
    }

    /** One of its own: another node that starts now and runs the same probe could overwrite a shared one. */
    private static String row() {
        return "probe-" + UUID.randomUUID();
    }

    private boolean hasStayed(String name, String mine) {
        try (RelayConnection relay = RelayConnection.open(own, dialect)) {
            return new Jdbc(relay.connection(), dialect).update(sql.clearProbe, mine) > 0;
        } catch (SQLException e) {
            throw failed(name, e);
        }
    }

    private static RuntimeException failed(String name, Exception e) {
        if (SqlFailure.isTransient(e)) {
            return new StoreException("testing a rollback on " + name + " failed", true, e);
        }
        return new OutboxException(
                "OUTBOX-0310",
                "Outboxed could not test on " + name + " whether a JTA rollback undoes its writes: " + e
                        + ". Nothing was changed.",
                e);
    }
}
