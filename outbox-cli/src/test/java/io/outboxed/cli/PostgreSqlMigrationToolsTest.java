package io.outboxed.cli;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgreSqlMigrationToolsTest extends MigrationToolsContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.of(Dialect.POSTGRESQL);

    @Override
    String emptyDatabase() throws SQLException {
        try (Connection connection = source(SERVER.running().url()).open();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA public CASCADE");
            statement.execute("CREATE SCHEMA public");
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
        return Dialect.POSTGRESQL;
    }

    @Override
    ConnectionSource source(String url) {
        return () -> DriverManager.getConnection(url, user(), password());
    }
}
