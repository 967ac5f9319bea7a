package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** A database in memory, for old rows of all tables. */
public final class AgedDatabase implements AutoCloseable {
    public static final String PREFIX = "outbox_";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final Connection admin;
    public final OldRows rows;

    public AgedDatabase() throws SQLException {
        admin = connect();
        new Schema(this::connect, Dialect.H2, PREFIX).create();
        rows = new OldRows(admin, Dialect.H2, PREFIX);
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }

    public void execute(String sql) throws SQLException {
        new Jdbc(admin, Dialect.H2).update(sql);
    }

    public long count(String table) throws SQLException {
        return new Jdbc(admin, Dialect.H2)
                .number("SELECT COUNT(*) AS found FROM " + PREFIX + table)
                .orElseThrow();
    }

    @Override
    public void close() throws SQLException {
        admin.close();
    }
}
