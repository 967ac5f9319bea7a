package io.outboxed.internal.store;

import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table of published outbox designs, and workers that claim its rows. */
final class PublishedTable implements AutoCloseable {
    /** Made by a worker about the row that it claimed. */
    static final String DECISION = "UPDATE outbox SET status = 'DEAD' WHERE id = 1";

    private final JdbcFixture database;
    private final List<Connection> workers = new ArrayList<>();

    PublishedTable(JdbcFixture database) throws SQLException {
        this.database = database;
        drop();
        database.run("CREATE TABLE outbox (id BIGINT PRIMARY KEY, entity_key VARCHAR(255) NOT NULL,"
                + " status VARCHAR(20) NOT NULL, locked_at TIMESTAMP NULL, worker_id VARCHAR(20))");
        database.run("CREATE INDEX idx_outbox_entity ON outbox (entity_key, id)");
    }

    void add(long id, String entity) throws SQLException {
        add(id, entity, "NEW");
    }

    void add(long id, String entity, String status) throws SQLException {
        database.run("INSERT INTO outbox (id, entity_key, status) VALUES (?, ?, ?)", id, entity, status);
    }

    void finish(long id) throws SQLException {
        database.run("DELETE FROM outbox WHERE id = ?", id);
    }

    /** A session of its own, with READ COMMITTED. */
    Jdbc worker() throws SQLException {
        return worker(Connection.TRANSACTION_READ_COMMITTED);
    }

    Jdbc worker(int isolation) throws SQLException {
        Connection connection = database.open();
        workers.add(connection);
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return new Jdbc(connection, database.dialect());
    }

    static List<Long> ids(Jdbc worker, String sql, Object... parameters) throws SQLException {
        return worker.list(sql, row -> row.getLong("id"), parameters);
    }

    static boolean isTrue(Jdbc worker, String function, Object... parameters) throws SQLException {
        return worker.first("SELECT " + function + " AS answer", row -> row.getBoolean("answer"), parameters)
                .orElseThrow();
    }

    private void drop() throws SQLException {
        database.run("DROP TABLE IF EXISTS outbox");
    }

    @Override
    public void close() throws SQLException {
        for (Connection worker : workers) {
            if (!worker.isClosed() && worker.isValid(1)) {
                worker.rollback();
                releaseLocks(new Jdbc(worker, database.dialect()));
            }
            worker.close();
        }
        drop();
    }

    /** Not left to the end of the session: the server notices that a moment later. */
    private void releaseLocks(Jdbc worker) throws SQLException {
        worker.exists(
                database.dialect().isMySqlFamily() ? "SELECT RELEASE_ALL_LOCKS()" : "SELECT pg_advisory_unlock_all()");
    }
}
