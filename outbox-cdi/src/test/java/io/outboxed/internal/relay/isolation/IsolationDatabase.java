package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The real database of a run: that of {@code -Disolation.database}, with empty tables. */
final class IsolationDatabase implements AutoCloseable {
    private final Dialect dialect;
    private final RealDatabase server;

    private IsolationDatabase(Dialect dialect, RealDatabase server) {
        this.dialect = dialect;
        this.server = server;
    }

    static IsolationDatabase start() {
        String name = System.getProperty("isolation.database", "postgresql");
        IsolationDatabase started = switch (name) {
            case "postgresql" -> new IsolationDatabase(Dialect.POSTGRESQL, RealPostgres.start());
            case "mysql" -> new IsolationDatabase(Dialect.MYSQL, RealMySql.start());
            default -> throw new IllegalArgumentException("isolation.database is " + name);
        };
        new Schema(started.source(), started.dialect, SqlText.DEFAULT_PREFIX).create();
        return started;
    }

    ConnectionSource source() {
        return () -> DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    /** The store of another node. */
    JdbcRelayStore newStore() {
        return new JdbcRelayStore(
                source(), dialect, SqlText.DEFAULT_PREFIX, false, dropped -> {}, Duration.ofSeconds(10));
    }

    Dialect dialect() {
        return dialect;
    }

    /** The number that this query returns as n. */
    long number(String query) {
        try (Connection connection = source().open()) {
            return new Jdbc(connection, dialect)
                    .first(query, row -> row.getLong("n"))
                    .orElseThrow();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Messages, deliveries and lanes, as soon as there are none of them, or after this time. */
    long leftWithin(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        long left = left();
        while (left > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(50_000_000);
            left = left();
        }
        return left;
    }

    private long left() {
        return number("SELECT (SELECT COUNT(*) FROM outbox_message) + (SELECT COUNT(*) FROM outbox_delivery)"
                + " + (SELECT COUNT(*) FROM outbox_lane) AS n");
    }

    @Override
    public String toString() {
        return dialect == Dialect.MYSQL ? "MySQL" : "PostgreSQL";
    }

    @Override
    public void close() {
        server.close();
    }
}
