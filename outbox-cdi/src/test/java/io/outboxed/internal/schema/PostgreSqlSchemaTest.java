package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlText;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only PostgreSQL can have different: where its search path finds the tables, and what survives a crash. */
class PostgreSqlSchemaTest {
    private static final String FAR = "\"Far away\"";
    private static final String PATH = "nearer, " + FAR;

    private static RealPostgres server;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void createTables() throws SQLException {
        execute("DROP SCHEMA IF EXISTS " + FAR + " CASCADE");
        execute("DROP SCHEMA IF EXISTS nearer CASCADE");
        execute("CREATE SCHEMA " + FAR);
        along(FAR).create();
    }

    /** As {@code "$user", public} does once there is a schema of the user's name. */
    @Test
    void tables_behind_the_first_schema_of_the_path_are_found_and_no_others_are_created() throws SQLException {
        execute("CREATE SCHEMA nearer");
        assertThat(along(PATH).findings()).isEmpty();

        along(PATH).create();

        assertThat(tablesIn("nearer")).isEmpty();
    }

    @Test
    void what_is_different_there_is_found() throws SQLException {
        execute("CREATE SCHEMA nearer");
        execute("ALTER TABLE " + FAR + ".outbox_node DROP CONSTRAINT outbox_node_pkey");
        execute("ALTER TABLE " + FAR + ".outbox_node ALTER COLUMN label TYPE VARCHAR(10)");

        assertThat(along(PATH).findings())
                .extracting(SchemaCheck.Finding::problem)
                .containsExactlyInAnyOrder(
                        "primary key of outbox_node is (), expected (owner)",
                        "column outbox_node.label is CHARACTER VARYING(10), expected CHARACTER VARYING(255)");
    }

    @Test
    void a_table_that_a_crash_would_empty_is_found_and_repaired() throws SQLException {
        execute("ALTER TABLE " + FAR + ".outbox_message SET UNLOGGED");

        List<SchemaCheck.Finding> findings = along(FAR).findings();

        assertThat(findings)
                .extracting(SchemaCheck.Finding::problem)
                .containsExactly("table outbox_message is unlogged: after a crash of the database it would be empty");
        execute("SET search_path = " + FAR + "; " + findings.get(0).ddl().get(0));
        assertThat(along(FAR).findings()).isEmpty();
    }

    private static Schema along(String searchPath) {
        return new Schema(
                () -> {
                    Connection connection = open();
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SET search_path = " + searchPath);
                    }
                    return connection;
                },
                Dialect.POSTGRESQL,
                SqlText.DEFAULT_PREFIX);
    }

    private static List<String> tablesIn(String schema) throws SQLException {
        try (Connection connection = open()) {
            return new Jdbc(connection, Dialect.POSTGRESQL)
                    .list(
                            "SELECT tablename FROM pg_tables WHERE schemaname = ?",
                            row -> row.getString("tablename"),
                            schema);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = open();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection open() throws SQLException {
        return DriverManager.getConnection(server.url(), server.user(), server.password());
    }
}
