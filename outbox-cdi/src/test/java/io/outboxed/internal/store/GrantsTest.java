package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
            "message",
            "node",
            "shard",
            "lock",
            "handler",
            "meta",
            "lane",
            "claim",
            "delivery",
            "dead",
            "inbox",
            "history",
            "pause",
            "audit",
            "operation");

    /** Each run has something to create. */
    private static int lookAhead;

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
            showWhatNodesDoWithoutTheirRights(mysql, Dialect.MYSQL);
        }
    }

    @Test
    void on_mariadb_the_accounts_of_mysql_suffice() throws Exception {
        Path administrator = Files.writeString(
                directory.resolve("administrator.sql"),
                "CREATE DATABASE IF NOT EXISTS outbox;\n"
                        + "CREATE USER administrator@'%' IDENTIFIED BY 'x';\n"
                        + "GRANT ALL ON *.* TO administrator@'%' WITH GRANT OPTION;\n");
        try (RealMariaDb mariaDb = RealMariaDb.start(ServerOptions.temporary().with("--init-file=" + administrator))) {
            showThatGrantsSuffice(mariaDb, "administrator", "x", GRANTS.resolve("mysql-grants.sql"), "mariadb");
            showWhatNodesDoWithoutTheirRights(mariaDb, Dialect.MARIADB);
        }
    }

    @Test
    void on_postgresql_the_migrator_makes_the_tables_and_the_application_only_uses_them() throws Exception {
        try (RealPostgres postgres = RealPostgres.start()) {
            showThatGrantsSuffice(postgres, "postgres", postgres.administratorPassword(), "postgresql");
            try (Connection administrator =
                            DriverManager.getConnection(postgres.url(), "postgres", postgres.administratorPassword());
                    Connection application = DriverManager.getConnection(postgres.url(), "outbox_app", "change me")) {
                MissingRights.bulkOperationsWaitForThem(postgres, administrator, "outbox_app", Dialect.POSTGRESQL);
                MissingRights.cleanupWaitsForThem(postgres, administrator, "outbox_app", Dialect.POSTGRESQL);
                MissingRights.partitionsAreLeftAsTheyWere(application, administrator, Dialect.POSTGRESQL, settings());
            }
            try (Connection owner = DriverManager.getConnection(postgres.url(), "outbox_migrator", "change me, too")) {
                execute(
                        owner,
                        "CREATE TABLE outbox_history_p20010101 PARTITION OF outbox_history FOR VALUES FROM (MINVALUE)"
                                + " TO (1000)");
                showThatPartitionsAreMaintained(owner, Dialect.POSTGRESQL);
                execute(
                        owner,
                        "CREATE TABLE outbox_history_p20010101 PARTITION OF outbox_history FOR VALUES FROM (MINVALUE)"
                                + " TO (1000)");
            }
            try (Connection administrator =
                    DriverManager.getConnection(postgres.url(), "postgres", postgres.administratorPassword())) {
                execute(administrator, "GRANT outbox_migrator TO outbox_app");
            }
            PartitionRun byMember;
            try (Connection member = DriverManager.getConnection(postgres.url(), "outbox_app", "change me")) {
                byMember = showThatPartitionsAreMaintained(member, Dialect.POSTGRESQL);
            }
            showThatTheMigratorOwnsTheHistory(postgres, byMember);
        }
    }

    @Test
    void on_postgresql_the_migrator_also_owns_the_new_tail_of_a_history_that_a_member_has_converted() throws Exception {
        try (RealPostgres postgres = RealPostgres.start()) {
            showThatGrantsSuffice(postgres, "postgres", postgres.administratorPassword(), "postgresql");
            try (Connection administrator =
                    DriverManager.getConnection(postgres.url(), "postgres", postgres.administratorPassword())) {
                execute(administrator, "GRANT outbox_migrator TO outbox_app");
            }
            PartitionRun byMember;
            try (Connection member = DriverManager.getConnection(postgres.url(), "outbox_app", "change me")) {
                execute(
                        member,
                        "INSERT INTO outbox_history (id, processed_at, seq, shard, lane, type, payload_size,"
                                + " delay_micros, registry_version) VALUES (gen_random_uuid(), 1, 1, 7, 7,"
                                + " 'order.placed', 0, 0, 0)");
                byMember = new PartitionMaintainer(Dialect.POSTGRESQL, "outbox_", settings()).run(member);
            }
            assertThat(byMember.statements()).anyMatch(statement -> statement.endsWith("DEFAULT"));
            showThatTheMigratorOwnsTheHistory(postgres, byMember);
        }
    }

    @Test
    void on_postgresql_the_migrator_may_run_the_second_part() throws Exception {
        String file = Files.readString(GRANTS.resolve("postgresql-grants.sql"));
        int second = file.indexOf("-- Part 2");
        try (RealPostgres postgres = RealPostgres.start()) {
            try (Connection administrator =
                    DriverManager.getConnection(postgres.url(), "postgres", postgres.administratorPassword())) {
                execute(administrator, file.substring(0, second));
            }
            makeTables(postgres, "postgresql");
            try (Connection owner = DriverManager.getConnection(postgres.url(), "outbox_migrator", "change me, too")) {
                execute(owner, file.substring(second));
            }
            try (Connection application = DriverManager.getConnection(postgres.url(), "outbox_app", "change me")) {
                use(application, "outbox_message");
            }
        }
    }

    /** On MySQL and MariaDB. In the end all rights are granted, and partitions are maintained. */
    private static void showWhatNodesDoWithoutTheirRights(RealDatabase database, Dialect dialect) throws SQLException {
        try (Connection administrator = DriverManager.getConnection(database.url(), "administrator", "x");
                Connection maintainer =
                        DriverManager.getConnection(database.url(), "outbox_partitions", "change me as well")) {
            MissingRights.bulkOperationsWaitForThem(database, administrator, "outbox_app@'%'", dialect);
            MissingRights.cleanupWaitsForThem(database, administrator, "outbox_app@'%'", dialect);
            execute(
                    administrator,
                    "ALTER TABLE outbox_history REORGANIZE PARTITION pmax INTO (PARTITION p20010101 VALUES LESS"
                            + " THAN (1000), PARTITION pmax VALUES LESS THAN MAXVALUE)");
            execute(administrator, "REVOKE ALTER ON outbox_history FROM outbox_partitions@'%'");
            try {
                MissingRights.partitionsAreLeftAsTheyWere(maintainer, administrator, dialect, settings());
            } finally {
                execute(administrator, "GRANT ALTER ON outbox_history TO outbox_partitions@'%'");
            }
            showThatPartitionsAreMaintained(maintainer, dialect);
            assertThatThrownBy(() -> execute(maintainer, "DELETE FROM outbox_message"))
                    .isInstanceOf(SQLException.class);
        }
    }

    private static void showThatTheMigratorOwnsTheHistory(RealPostgres postgres, PartitionRun byMember)
            throws SQLException {
        String added = byMember.statements().stream()
                .filter(statement -> statement.startsWith("CREATE TABLE outbox_history_p"))
                .map(statement -> statement.split(" ")[2])
                .findFirst()
                .orElseThrow();
        try (Connection owner = DriverManager.getConnection(postgres.url(), "outbox_migrator", "change me, too")) {
            execute(owner, "ALTER TABLE outbox_history ADD COLUMN added INT");
            execute(owner, "DROP TABLE " + added);
        }
    }

    private static void showThatGrantsSuffice(RealDatabase database, String admin, String password, String name)
            throws SQLException, IOException {
        showThatGrantsSuffice(database, admin, password, GRANTS.resolve(name + "-grants.sql"), name);
    }

    private static void showThatGrantsSuffice(
            RealDatabase database, String admin, String password, Path grants, String name)
            throws SQLException, IOException {
        try (Connection administrator = DriverManager.getConnection(database.url(), admin, password)) {
            for (String statement : statements(grants)) {
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

    /** A partition is older than a week: one has to be created, and this one dropped. */
    private static PartitionRun showThatPartitionsAreMaintained(Connection connection, Dialect dialect)
            throws SQLException {
        PartitionRun run = new PartitionMaintainer(dialect, "outbox_", settings()).run(connection);

        assertThat(run).isInstanceOf(PartitionRun.Done.class);
        assertThat(run.statements())
                .hasSizeGreaterThan(1)
                .last()
                .asString()
                .contains("DROP")
                .contains("p20010101");
        return run;
    }

    private static PartitionSettings settings() {
        return PartitionSettings.of(Period.DAY, Duration.ofDays(++lookAhead), Optional.of(Duration.ofDays(7)));
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
