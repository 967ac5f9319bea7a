package io.outboxed.internal.schema;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Two schemas of a database of PostgreSQL: the first one that sessions look in, and one behind it. */
public record SearchPath(RealPostgres server) {
    public static final String NEAR = "nearer";
    public static final String FAR = "\"Far away\"";

    /** Empty schemas. */
    public void create() throws SQLException {
        for (String schema : List.of(NEAR, FAR)) {
            execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            execute("CREATE SCHEMA " + schema);
        }
    }

    /** Finds tables of both, and creates them in the near one. */
    public Connection alongBoth() throws SQLException {
        return along(NEAR + ", " + FAR);
    }

    /** Knows only the far one. */
    public Connection inFar() throws SQLException {
        return along(FAR);
    }

    private Connection along(String path) throws SQLException {
        Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = " + path);
        }
        return connection;
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = alongBoth();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public List<String> tablesInNear() throws SQLException {
        try (Connection connection = alongBoth()) {
            return new Jdbc(connection, Dialect.POSTGRESQL)
                    .list(
                            "SELECT tablename FROM pg_tables WHERE schemaname = ?",
                            row -> row.getString("tablename"),
                            NEAR);
        }
    }
}
