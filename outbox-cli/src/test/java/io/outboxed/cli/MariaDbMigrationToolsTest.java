package io.outboxed.cli;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbMigrationToolsTest extends MigrationToolsContract {
    private static RealMariaDb server;

    @BeforeAll
    static void startServer() {
        server = RealMariaDb.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    String emptyDatabase() throws SQLException {
        try (Connection connection = source(server.url()).open();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE outbox");
            statement.execute("CREATE DATABASE outbox");
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
        return Dialect.MARIADB;
    }

    @Override
    ConnectionSource source(String url) {
        return () -> DriverManager.getConnection(url, user(), password());
    }
}
