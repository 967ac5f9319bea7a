package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.schema.UpgradeScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import liquibase.Scope;
import liquibase.command.CommandScope;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.CompositeResourceAccessor;
import liquibase.resource.DirectoryResourceAccessor;
import liquibase.resource.ResourceAccessor;
import liquibase.ui.LoggerUIService;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.output.MigrateResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real Flyway and the real Liquibase create and upgrade the tables with what the command line prints. */
abstract class MigrationToolsContract {
    /** As on the page. */
    private static final String OWN_CHANGELOG = """
            <databaseChangeLog
                xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
                xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
                    http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
              <changeSet id="outbox-error-kind" author="shop">
                <preConditions onFail="MARK_RAN">
                  <tableExists tableName="outbox_operation"/>
                  <not><columnExists tableName="outbox_operation" columnName="error_kind"/></not>
                </preConditions>
                <sqlFile path="outbox-additions.sql"/>
              </changeSet>
              <include file="io/outboxed/schema/liquibase.xml"/>
            </databaseChangeLog>
            """;

    @TempDir
    Path directory;

    /** A database, or a schema, without any table. */
    abstract String emptyDatabase() throws SQLException;

    abstract String user();

    abstract String password();

    abstract Dialect dialect();

    abstract ConnectionSource source(String url);

    private static String printed(String... arguments) {
        ScriptedTerminal terminal = new ScriptedTerminal();
        assertThat(Main.run(terminal, arguments)).as(terminal.errors()).isZero();
        return terminal.output();
    }

    private String database() {
        return dialect().name().toLowerCase(Locale.ROOT);
    }

    private void verify(String url, String prefix) {
        assertThatCode(new Schema(source(url), dialect(), prefix)::verify).doesNotThrowAnyException();
    }

    /** With one message. */
    private void createLayoutZero(String url, String prefix) throws Exception {
        String written = dialect() == Dialect.MARIADB ? "mysql" : database();
        Path file =
                Path.of("../outbox-cdi/src/test/resources/io/outboxed/internal/schema/layout-0/" + written + ".sql");
        String code = Files.readString(file).replaceAll("(?m)^--.*\n", "").replace("outbox_", prefix);
        try (Connection connection = source(url).open();
                Statement statement = connection.createStatement()) {
            for (String each : code.split(";\\s*\n")) {
                statement.execute(each);
            }
            new Jdbc(connection, dialect())
                    .update(
                            "INSERT INTO " + prefix
                                    + "message (id, shard, lane, type, payload) VALUES (?, 7, 7, 'placed', '{}')",
                            UUID.randomUUID());
        }
    }

    private long messages(String url, String prefix) throws SQLException {
        try (Connection connection = source(url).open()) {
            return new Jdbc(connection, dialect())
                    .first("SELECT COUNT(*) AS n FROM " + prefix + "message WHERE version = 0", row -> row.getLong("n"))
                    .orElseThrow();
        }
    }

    private MigrateResult flyway(String url) {
        return Flyway.configure()
                .dataSource(url, user(), password())
                .locations("filesystem:" + directory)
                .baselineOnMigrate(true)
                .baselineVersion("6")
                .load()
                .migrate();
    }

    private void liquibase(String url, String changelog, ResourceAccessor files) throws Exception {
        try (Connection connection = source(url).open()) {
            Database database =
                    DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection));
            Map<String, Object> quiet =
                    Map.of(Scope.Attr.resourceAccessor.name(), files, Scope.Attr.ui.name(), new LoggerUIService());
            Scope.child(
                    quiet,
                    () -> new CommandScope("update")
                            .addArgumentValue("database", database)
                            .addArgumentValue("changelogFile", changelog)
                            .execute());
        }
    }

    private ResourceAccessor ownFilesAndJar() throws IOException {
        return new CompositeResourceAccessor(
                new DirectoryResourceAccessor(directory), new ClassLoaderResourceAccessor());
    }

    @Test
    void flyway_creates_the_tables() throws Exception {
        String url = emptyDatabase();
        Files.writeString(
                directory.resolve("V7__outbox.sql"),
                printed("schema", "print", "--database", database(), "--for", "flyway"));

        assertThat(flyway(url).migrationsExecuted).isEqualTo(1);
        verify(url, "outbox_");
        assertThat(flyway(url).migrationsExecuted).isZero();
    }

    @Test
    void flyway_upgrades_the_tables() throws Exception {
        String url = emptyDatabase();
        createLayoutZero(url, "outbox_");
        Files.writeString(
                directory.resolve("V7__outbox.sql"),
                printed("schema", "upgrade", "--from", "0", "--database", database(), "--for", "flyway"));

        assertThat(flyway(url).migrationsExecuted).isEqualTo(1);
        verify(url, "outbox_");
        assertThat(messages(url, "outbox_")).isEqualTo(1);
    }

    @Test
    void liquibase_creates_the_tables_by_the_changelog_in_the_jar_and_changes_nothing_later() throws Exception {
        String url = emptyDatabase();
        for (int i = 0; i < 2; i++) {
            liquibase(url, "io/outboxed/schema/liquibase.xml", new ClassLoaderResourceAccessor());
            verify(url, "outbox_");
        }
    }

    @Test
    void liquibase_upgrades_the_tables_by_the_changelog_in_the_jar() throws Exception {
        String url = emptyDatabase();
        createLayoutZero(url, "outbox_");

        liquibase(url, "io/outboxed/schema/liquibase.xml", new ClassLoaderResourceAccessor());
        verify(url, "outbox_");
        assertThat(messages(url, "outbox_")).isEqualTo(1);
    }

    @Test
    void liquibase_does_not_take_an_upgrade_that_stopped_half_way_for_a_complete_one() throws Exception {
        String url = emptyDatabase();
        createLayoutZero(url, "outbox_");
        List<String> steps = UpgradeScript.statements(dialect(), "outbox_", 0);
        try (Connection connection = source(url).open();
                Statement statement = connection.createStatement()) {
            statement.execute(steps.get(0));
        }

        assertThatThrownBy(() -> liquibase(url, "io/outboxed/schema/liquibase.xml", new ClassLoaderResourceAccessor()))
                .hasStackTraceContaining("attempts");
        try (Connection connection = source(url).open();
                Statement statement = connection.createStatement()) {
            for (String step : steps.subList(1, steps.size())) {
                statement.execute(step);
            }
        }
        liquibase(url, "io/outboxed/schema/liquibase.xml", new ClassLoaderResourceAccessor());
        verify(url, "outbox_");
        assertThat(messages(url, "outbox_")).isEqualTo(1);
    }

    @Test
    void liquibase_creates_tables_with_another_prefix_by_a_printed_changelog() throws Exception {
        String url = emptyDatabase();
        List<String> print =
                List.of("schema", "print", "--database", database(), "--table-prefix", "shop_", "--for", "liquibase");
        Files.writeString(directory.resolve("outbox.sql"), printed(print.toArray(String[]::new)));

        liquibase(url, "outbox.sql", new DirectoryResourceAccessor(directory));
        verify(url, "shop_");
    }

    @Test
    void a_printed_changelog_runs_again_once_a_new_version_prints_another_one() throws Exception {
        String url = emptyDatabase();
        String now = printed("schema", "print", "--database", database(), "--for", "liquibase");
        String before = now.replaceFirst("(?s)CREATE TABLE IF NOT EXISTS outbox_claim .*?;", "");
        assertThat(before).isNotEqualTo(now);
        for (String printed : List.of(before, now)) {
            Files.writeString(directory.resolve("outbox.sql"), printed);
            liquibase(url, "outbox.sql", new DirectoryResourceAccessor(directory));
        }
        verify(url, "outbox_");
    }

    @Test
    void columns_and_indexes_that_a_new_version_has_are_added_by_what_is_printed_for_these_tables() throws Exception {
        for (String tool : List.of("liquibase", "flyway")) {
            String url = emptyDatabase();
            new Schema(source(url), dialect(), "outbox_").create();
            String on = dialect().isMySqlFamily() ? " ON outbox_dead" : "";
            try (Connection connection = source(url).open();
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE outbox_operation DROP COLUMN error_kind");
                statement.execute("DROP INDEX outbox_dead_type" + on);
            }
            ScriptedTerminal terminal = new ScriptedTerminal().with("OUTBOX_PASSWORD", password());
            assertThat(Main.run(terminal, "schema", "upgrade", "--url", url, "--user", user()))
                    .as(terminal.errors())
                    .isZero();

            if (tool.equals("liquibase")) {
                Files.writeString(directory.resolve("outbox-additions.sql"), terminal.output());
                Files.writeString(directory.resolve("changelog.xml"), OWN_CHANGELOG);
                liquibase(url, "changelog.xml", ownFilesAndJar());
                verify(url, "outbox_");
                url = emptyDatabase();
                liquibase(url, "changelog.xml", ownFilesAndJar());
            } else {
                Files.writeString(directory.resolve("V9__outbox.sql"), terminal.output());
                assertThat(flyway(url).migrationsExecuted).isEqualTo(1);
            }
            assertThat(terminal.output()).contains("error_kind", "outbox_dead_type");
            verify(url, "outbox_");
        }
    }

    @Test
    void tables_with_another_prefix_are_upgraded_by_a_printed_changelog_and_by_a_printed_migration() throws Exception {
        for (String tool : List.of("liquibase", "flyway")) {
            String url = emptyDatabase();
            createLayoutZero(url, "shop_");
            String printed = printed(
                    "schema",
                    "upgrade",
                    "--from",
                    "0",
                    "--database",
                    database(),
                    "--table-prefix",
                    "shop_",
                    "--for",
                    tool);
            if (tool.equals("liquibase")) {
                Files.writeString(directory.resolve("outbox-upgrade.sql"), printed);
                liquibase(url, "outbox-upgrade.sql", new DirectoryResourceAccessor(directory));
            } else {
                Files.writeString(directory.resolve("V8__outbox.sql"), printed);
                assertThat(flyway(url).migrationsExecuted).isEqualTo(1);
            }
            verify(url, "shop_");
            assertThat(messages(url, "shop_")).as(tool).isEqualTo(1);
        }
    }
}
