package io.outboxed.cli;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgreSqlMigrationToolsTest extends MigrationToolsContract {
    private static RealPostgres server;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    String emptyDatabase() throws SQLException {
        try (Connection connection = source(server.url()).open();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA public CASCADE");
            statement.execute("CREATE SCHEMA public");
        }
        return server.url();
    }

    @Override
    String user() {
        return server.user();
    }

    @Override
    String password() {
        return server.password();
    }

    @Override
    Dialect dialect() {
        return Dialect.POSTGRESQL;
    }

    @Override
    ConnectionSource source(String url) {
        return () -> DriverManager.getConnection(url, user(), password());
    }
}
