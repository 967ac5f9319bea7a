package io.outboxed.cli;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.extension.RegisterExtension;

class MySqlMigrationToolsTest extends MigrationToolsContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.of(Dialect.MYSQL);

    @Override
    String emptyDatabase() throws SQLException {
        try (Connection connection = source(SERVER.running().url()).open();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE outbox");
            statement.execute("CREATE DATABASE outbox");
        }
        return SERVER.running().url();
    }

    @Override
    String user() {
        return SERVER.running().user();
    }

    @Override
    String password() {
        return SERVER.running().password();
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    ConnectionSource source(String url) {
        return () -> DriverManager.getConnection(url, user(), password());
    }
}
