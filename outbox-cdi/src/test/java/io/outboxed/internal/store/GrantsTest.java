package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The accounts that {@code server-config/databases} suggests: the migrator can create tables, the application can use
 * them.
 */
class GrantsTest {
    private static final Path SCHEMAS = Path.of("src/main/resources/io/outboxed/schema");
    private static final Path GRANTS = Path.of("../server-config/databases");
    private static final List<String> TABLES = List.of(
            "message", "node", "shard", "lock", "handler", "meta", "lane", "delivery", "dead", "inbox", "history");

    @TempDir
    Path directory;

    @Test
    void on_mysql_the_migrator_makes_the_tables_and_the_application_only_uses_them() throws Exception {
        Path administrator = Files.writeString(
                directory.resolve("administrator.sql"),
                "CREATE USER administrator@'%' IDENTIFIED BY 'x';\n"
                        + "GRANT ALL ON *.* TO administrator@'%' WITH GRANT OPTION;\n");
        try (RealMySql mysql = RealMySql.start(ServerOptions.temporary().with("--init-file=" + administrator))) {
            showThatGrantsSuffice(mysql, "administrator", "x", "mysql");
        }
    }

    @Test
    void on_postgresql_the_migrator_makes_the_tables_and_the_application_only_uses_them() throws Exception {
        try (RealPostgres postgres = RealPostgres.start()) {
            showThatGrantsSuffice(postgres, "postgres", "outbox", "postgresql");
        }
    }

    private static void showThatGrantsSuffice(RealDatabase database, String admin, String password, String name)
            throws SQLException, IOException {
        try (Connection administrator = DriverManager.getConnection(database.url(), admin, password)) {
            for (String statement : statements(GRANTS.resolve(name + "-grants.sql"))) {
                if (statement.contains("outbox_message")) { // the first that needs the tables
                    makeTables(database, name);
                }
                execute(administrator, statement);
            }
        }
        try (Connection application = DriverManager.getConnection(database.url(), "outbox_app", "change me")) {
            for (String table : TABLES) {
                use(application, "outbox_" + table);
            }
            assertThatThrownBy(() -> execute(application, "CREATE TABLE mine(n INT)"))
                    .isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> execute(application, "DROP TABLE outbox_meta"))
                    .isInstanceOf(SQLException.class);
        }
    }

    private static void makeTables(RealDatabase database, String name) throws SQLException, IOException {
        try (Connection migrator = DriverManager.getConnection(database.url(), "outbox_migrator", "change me, too")) {
            for (String statement : statements(SCHEMAS.resolve(name + ".sql"))) {
                execute(migrator, statement);
            }
        }
    }

    /** A missing privilege is reported before the first row is read. */
    private static void use(Connection connection, String table) throws SQLException {
        String column = lastColumn(connection, table);
        execute(connection, "INSERT INTO " + table + " SELECT * FROM " + table + " WHERE 1 = 0");
        execute(connection, "UPDATE " + table + " SET " + column + " = " + column + " WHERE 1 = 0");
        execute(connection, "DELETE FROM " + table + " WHERE 1 = 0");
        execute(connection, "SELECT " + column + " FROM " + table + " WHERE 1 = 0 FOR UPDATE");
    }

    private static String lastColumn(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            return rows.getMetaData().getColumnName(rows.getMetaData().getColumnCount());
        }
    }

    private static List<String> statements(Path script) throws IOException {
        String withoutComments = Files.readString(script).replaceAll("(?m)^\\s*--.*$", "");
        List<String> statements = Stream.of(withoutComments.split(";\\s*\\n"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
        assertThat(statements).as("statements in " + script).isNotEmpty();
        return statements;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
