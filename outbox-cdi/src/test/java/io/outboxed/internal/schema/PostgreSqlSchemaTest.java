package io.outboxed.internal.schema;

import static io.outboxed.internal.schema.SearchPath.FAR;
import static io.outboxed.internal.schema.SearchPath.NEAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlText;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only PostgreSQL can have different: where its search path finds the tables, and what survives a crash. */
class PostgreSqlSchemaTest {
    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    private static final SearchPath PATH = new SearchPath(SERVER);

    @BeforeEach
    void createTables() throws SQLException {
        PATH.create();
        schema(PATH::inFar).create();
    }

    /** As {@code "$user", public} does once there is a schema of the user's name. */
    @Test
    void tables_behind_the_first_schema_of_the_path_are_found_and_no_others_are_created() throws SQLException {
        assertThat(schema(PATH::alongBoth).findings()).isEmpty();

        schema(PATH::alongBoth).create();

        assertThat(PATH.tablesInNear()).isEmpty();
    }

    @Test
    void one_that_is_missing_there_is_not_created_in_the_first_schema() throws SQLException {
        PATH.execute("DROP TABLE " + FAR + ".outbox_lock");

        assertThatThrownBy(() -> schema(PATH::alongBoth).create())
                .hasMessageStartingWith("OUTBOX-0304 ")
                .hasMessageContaining(
                        "table outbox_lock is missing in the schema " + FAR + ", where the search path finds"
                                + " the others; it would be created in " + NEAR + ", which comes first: put " + FAR
                                + " first in the search path, or in front of outbox.table-prefix");
        assertThat(PATH.tablesInNear()).isEmpty();

        List<SchemaCheck.Finding> findings = schema(PATH::alongBoth).findings();
        assertThat(findings).hasSize(1);
        PATH.execute(String.join(";", findings.get(0).ddl()));
        assertThat(schema(PATH::inFar).findings()).isEmpty();
        assertThat(PATH.tablesInNear()).isEmpty();
    }

    @Test
    void without_any_table_all_are_created_in_the_first_schema() throws SQLException {
        PATH.create();

        schema(PATH::alongBoth).create();

        assertThat(PATH.tablesInNear()).contains("outbox_message", "outbox_lock");
        assertThat(schema(PATH::alongBoth).findings()).isEmpty();
    }

    /** To create one, its table is locked against writers, and those that come after wait too. */
    @Test
    void an_index_of_a_table_that_is_there_is_left_to_the_operator() throws SQLException {
        PATH.execute("DROP INDEX " + FAR + ".outbox_dead_died");

        assertThatThrownBy(() -> schema(PATH::inFar).create())
                .hasMessageStartingWith("OUTBOX-0304 ")
                .hasMessageContaining("index on outbox_dead (died_at) is missing")
                .hasMessageContaining("CREATE INDEX IF NOT EXISTS outbox_dead_died ON outbox_dead (died_at)");
        assertThat(schema(PATH::inFar).findings()).hasSize(1);
    }

    @Test
    void a_missing_table_is_created_with_its_indexes() throws SQLException {
        PATH.execute("DROP TABLE " + FAR + ".outbox_dead");

        schema(PATH::inFar).create();

        assertThat(schema(PATH::inFar).findings()).isEmpty();
    }

    @Test
    void what_is_different_there_is_found() throws SQLException {
        PATH.execute("ALTER TABLE " + FAR + ".outbox_node DROP CONSTRAINT outbox_node_pkey");
        PATH.execute("ALTER TABLE " + FAR + ".outbox_node ALTER COLUMN label TYPE VARCHAR(10)");

        assertThat(schema(PATH::alongBoth).findings())
                .extracting(SchemaCheck.Finding::problem)
                .containsExactlyInAnyOrder(
                        "primary key of outbox_node is (), expected (owner)",
                        "column outbox_node.label is CHARACTER VARYING(10), expected CHARACTER VARYING(255)");
    }

    @Test
    void a_table_that_a_crash_would_empty_is_found_and_repaired() throws SQLException {
        PATH.execute("ALTER TABLE " + FAR + ".outbox_message SET UNLOGGED");

        List<SchemaCheck.Finding> findings = schema(PATH::inFar).findings();

        assertThat(findings)
                .extracting(SchemaCheck.Finding::problem)
                .containsExactly("table outbox_message is unlogged: after a crash of the database it would be empty");
        PATH.execute(findings.get(0).ddl().get(0));
        assertThat(schema(PATH::inFar).findings()).isEmpty();
    }

    /** A renamed table's indexes keep their names, and CREATE INDEX IF NOT EXISTS skips a name that is taken. */
    @Test
    void the_index_of_a_renamed_table_gives_its_name_to_that_of_the_new_one() throws SQLException {
        String old = FAR + ".outbox_dead_old";
        PATH.execute("ALTER TABLE " + FAR + ".outbox_dead RENAME TO outbox_dead_old");
        for (String index : List.of("handler", "type", "aggregate", "blocking")) {
            PATH.execute("DROP INDEX " + FAR + ".outbox_dead_" + index);
        }
        PATH.execute("CREATE INDEX outbox_dead_died_old ON " + old + " (died_at)");
        PATH.execute("CREATE TABLE " + FAR + ".outbox_dead (LIKE " + old + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS,"
                + " PRIMARY KEY (message_id, handler))");

        List<SchemaCheck.Finding> findings = schema(PATH::inFar).findings();

        assertThat(findings)
                .extracting(SchemaCheck.Finding::problem)
                .contains(
                        "index on outbox_dead (died_at) is missing, and its name outbox_dead_died belongs to an index of"
                                + " outbox_dead_old")
                .hasSize(5);
        run(findings);
        assertThat(schema(PATH::inFar).findings()).isEmpty();
    }

    @Test
    void a_table_is_not_created_without_an_index_whose_name_is_taken() throws SQLException {
        PATH.execute("DROP TABLE " + FAR + ".outbox_history");
        PATH.execute("CREATE TABLE " + FAR + ".\"History of 2024\" (processed_at BIGINT)");
        PATH.execute("CREATE INDEX outbox_history_processed ON " + FAR + ".\"History of 2024\" (processed_at)");

        assertThatThrownBy(() -> schema(PATH::inFar).create())
                .hasMessageStartingWith("OUTBOX-0304 ")
                .hasMessageContaining(
                        "table outbox_history is missing, and the name outbox_history_processed belongs to"
                                + " an index of \"History of 2024\"")
                .hasMessageContaining("ALTER INDEX " + FAR + ".outbox_history_processed RENAME TO"
                        + " outbox_history_processed_old;");
        List<SchemaCheck.Finding> findings = schema(PATH::inFar).findings();
        assertThat(findings).hasSize(2);
        run(findings);
        assertThat(schema(PATH::inFar).findings()).isEmpty();
    }

    /** A session learns of a new table a moment after its statements see the new rows of the catalog. */
    @Test
    void a_table_that_another_node_is_just_creating_is_not_another_one() throws Exception {
        DdlScript.Index index = DdlScript.of(Dialect.POSTGRESQL, SqlText.DEFAULT_PREFIX).tables().stream()
                .flatMap(table -> table.indexes().stream())
                .filter(each -> each.name().equals("outbox_message_id"))
                .findFirst()
                .orElseThrow();
        PATH.create();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> createAndDrop(index, 300));
        try (Connection connection = PATH.inFar()) {
            Catalog catalog = new Catalog(new Jdbc(connection, Dialect.POSTGRESQL), null);
            while (!other.isDone()) {
                assertThat(catalog.takenName(index)).isEmpty();
            }
        } finally {
            other.join();
        }
    }

    private static void createAndDrop(DdlScript.Index index, int times) {
        try (Connection connection = PATH.inFar()) {
            Jdbc jdbc = new Jdbc(connection, Dialect.POSTGRESQL);
            for (int time = 0; time < times; time++) {
                connection.setAutoCommit(false);
                jdbc.execute(List.of("CREATE TABLE " + index.table() + " (id UUID)", index.ddl()));
                connection.commit();
                connection.setAutoCommit(true);
                jdbc.execute(List.of("DROP TABLE " + index.table()));
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** Quoted names: statements with ours don't find them, and an index of our name may be another table's. */
    @Test
    void names_in_capitals_are_other_names() throws SQLException {
        PATH.execute("ALTER TABLE " + FAR + ".outbox_dead RENAME COLUMN error TO \"ERROR\"");
        PATH.execute("DROP INDEX " + FAR + ".outbox_dead_type");
        PATH.execute("CREATE INDEX \"OUTBOX_DEAD_TYPE\" ON " + FAR + ".outbox_dead (type)");
        PATH.execute("CREATE INDEX outbox_dead_type ON " + FAR + ".outbox_history (type)");

        List<SchemaCheck.Finding> findings = schema(PATH::inFar).findings();

        assertThat(findings)
                .extracting(SchemaCheck.Finding::problem)
                .containsExactly(
                        "column outbox_dead.error is missing",
                        "index on outbox_dead (type, died_at) is missing, and its name outbox_dead_type belongs to an index"
                                + " of outbox_history");
        assertThat(findings.get(1).ddl()).noneMatch(statement -> statement.contains("DROP"));
        run(findings);
        assertThat(schema(PATH::inFar).findings()).isEmpty();
    }

    private static void run(List<SchemaCheck.Finding> findings) throws SQLException {
        try (Connection connection = PATH.inFar()) {
            for (SchemaCheck.Finding finding : findings) {
                new Jdbc(connection, Dialect.POSTGRESQL).execute(finding.ddl());
            }
        }
    }

    private static Schema schema(ConnectionSource source) {
        return new Schema(source, Dialect.POSTGRESQL, SqlText.DEFAULT_PREFIX);
    }
}
