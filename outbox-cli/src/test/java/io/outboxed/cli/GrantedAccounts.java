package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.schema.DdlScript;
import io.outboxed.operator.Tables;
import io.outboxed.servers.database.RealDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A database with the accounts that {@code server-config/databases} suggests, and commands run by them. */
abstract class GrantedAccounts {
    private static final Path GRANTS = Path.of("../server-config/databases");

    private Tables tables;
    private Connection admin;
    private ScriptedTerminal terminal = new ScriptedTerminal();

    abstract RealDatabase server();

    abstract Dialect dialect();

    abstract String administrator();

    abstract String administratorPassword();

    /** The file that creates the accounts. */
    String grants() {
        return dialect().name().toLowerCase(Locale.ROOT) + "-grants.sql";
    }

    /** Who may change the partitions of the history. */
    abstract String partitionsAccount();

    /** The migrator owns the tables, the others may use them. */
    void createAccounts() throws SQLException, IOException {
        try (Connection admin = open(administrator(), administratorPassword())) {
            boolean created = false;
            for (String statement : statements(Files.readString(GRANTS.resolve(grants())))) {
                if (statement.contains("outbox_message") && !created) {
                    created = true;
                    createTables();
                }
                execute(admin, statement);
            }
            if (dialect().isMySqlFamily()) {
                execute(admin, "CREATE USER " + single() + " IDENTIFIED BY 'change me, single'");
            } else {
                execute(admin, "CREATE ROLE outbox_single LOGIN PASSWORD 'change me, single'");
                execute(admin, "GRANT USAGE ON SCHEMA public TO outbox_single");
            }
        }
    }

    /** An account that is granted the rights of one command. */
    final String single() {
        return dialect().isMySqlFamily() ? "outbox_single@'%'" : "outbox_single";
    }

    private void createTables() throws SQLException {
        try (Connection migrator = open("outbox_migrator", "change me, too")) {
            for (String statement : statements(DdlScript.text(dialect(), "outbox_"))) {
                execute(migrator, statement);
            }
        }
    }

    private static List<String> statements(String script) {
        return Stream.of(script.replaceAll("(?m)^\\s*--.*$", "").split(";\\s*(?:\\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    final Connection open(String user, String password) throws SQLException {
        return DriverManager.getConnection(server().url(), user, password);
    }

    @BeforeEach
    void openTables() throws SQLException {
        tables = Tables.empty(() -> open("outbox_migrator", "change me, too"), dialect());
    }

    @AfterEach
    void closeTables() throws SQLException {
        tables.close();
        if (admin != null) {
            admin.close();
            admin = null;
        }
    }

    final Tables tables() {
        return tables;
    }

    final ScriptedTerminal terminal() {
        return terminal;
    }

    final int run(String account, String... arguments) {
        terminal = new ScriptedTerminal()
                .with("OUTBOX_URL", server().url())
                .with("OUTBOX_USER", "outbox_" + account)
                .with("OUTBOX_PASSWORD", password(account));
        return Main.run(terminal, arguments);
    }

    private static String password(String account) {
        return switch (account) {
            case "migrator" -> "change me, too";
            case "partitions" -> "change me as well";
            default -> "change me, " + account;
        };
    }

    final void succeeds(String account, String... arguments) {
        assertThat(run(account, arguments))
                .as(account + ": " + String.join(" ", arguments) + ": " + terminal.errors() + terminal.output())
                .isZero();
    }

    final void administer(String... statements) throws SQLException {
        if (admin == null) {
            admin = open(administrator(), administratorPassword());
        }
        for (String sql : statements) {
            execute(admin, sql);
        }
    }
}
