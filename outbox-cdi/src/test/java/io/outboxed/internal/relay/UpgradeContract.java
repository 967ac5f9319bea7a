package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.schema.DatabaseCheck;
import io.outboxed.internal.schema.LayoutZero;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.schema.UpgradeScript;
import io.outboxed.internal.store.Unrecorded;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables of an older layout, with rows, become those of this version; this version's relay handles what is in them. */
abstract class UpgradeContract {
    private LayoutZero tables;

    abstract ConnectionSource source();

    abstract Dialect dialect();

    @BeforeEach
    void createOldTables() throws SQLException {
        tables = LayoutZero.create(source(), dialect());
    }

    @AfterEach
    void close() throws SQLException {
        tables.close();
    }

    private Schema schema() {
        return new Schema(source(), dialect(), LayoutZero.PREFIX);
    }

    @Test
    void before_the_upgrade_this_version_refuses_the_tables_and_leaves_them_alone() throws SQLException {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(schema()::create)
                .satisfies(e -> assertThat(e.code()).isEqualTo("OUTBOX-0304"))
                .withMessageContaining("layout 0, this version needs layout 1")
                .withMessageContaining("docs/upgrading.md");
        tables.ready("placed", 100);
        tables.upgrade();
        schema().verify();
    }

    @Test
    void an_upgrade_that_stopped_half_way_is_refused_until_its_last_statement_has_run() throws SQLException {
        List<String> steps = UpgradeScript.statements(dialect(), LayoutZero.PREFIX, 0);
        String last = steps.stream()
                .filter(step -> step.startsWith("ALTER TABLE outbox_history"))
                .findFirst()
                .orElseThrow();
        for (String step : steps.subList(0, steps.indexOf(last))) {
            tables.run(step);
            assertThatExceptionOfType(OutboxException.class)
                    .as(step)
                    .isThrownBy(schema()::create)
                    .withMessageContaining("layout 0, this version needs layout 1");
        }
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(schema()::verify)
                .withMessageContaining("stopped half-way, continue with the statement that failed");

        for (String step : steps.subList(steps.indexOf(last), steps.size())) {
            tables.run(step);
        }
        schema().verify();
    }

    @Test
    void what_the_older_version_stored_is_handled_by_this_one() throws SQLException {
        List<UUID> ready = List.of(tables.ready("placed", 100), tables.ready("placed", 100));
        UUID halfDone = tables.halfDone("placed", 99);
        UUID retrying = tables.retrying("placed", 101, "mail", 2);
        UUID behind = tables.behind("placed", 101, "mail");
        UUID delayed = tables.parked("placed", 102);
        UUID replayed = tables.replayed("placed", 103, "mail");
        UUID unknown = tables.replayed("asked", 104, "?");
        UUID blocked = tables.blocked("placed", 105, "mail");
        UUID behindBlocked = tables.behind("placed", 105, "mail");
        UUID dead = tables.dead("placed", 106, "mail");
        UUID processed = tables.processed("placed", 107);

        tables.upgrade();

        schema().verify();
        new DatabaseCheck(source(), dialect(), LayoutZero.PREFIX).check();
        try (UpgradedNode node = new UpgradedNode(source(), dialect());
                OutboxOperations operations = OutboxOperations.open(source(), LayoutZero.PREFIX)) {
            node.until("only what is blocked is left", () -> tables.count("message") == 2);
            assertThat(node.calls(ready.get(0))).containsExactlyInAnyOrder("ship 1", "mail 1");
            assertThat(node.calls(ready.get(1))).containsExactlyInAnyOrder("ship 1", "mail 1");
            assertThat(node.order("mail")).containsSubsequence(ready.get(0), ready.get(1));
            assertThat(node.order("ship")).containsSubsequence(ready.get(0), ready.get(1));
            assertThat(node.calls(halfDone)).containsExactly("mail 1");
            assertThat(node.calls(retrying)).containsExactly("mail 3");
            assertThat(node.calls(behind)).containsExactly("mail 1");
            assertThat(node.order("mail")).containsSubsequence(retrying, behind);
            assertThat(node.calls(delayed)).containsExactlyInAnyOrder("ship 1", "mail 1");
            assertThat(node.calls(replayed)).containsExactly("mail 1");
            assertThat(node.calls(unknown)).containsExactly("mail 1");
            assertThat(node.calls(blocked)).isEmpty();
            assertThat(node.calls(behindBlocked)).isEmpty();
            assertThat(operations.event(processed).processedAt()).hasSize(1);

            assertThat(operations.deadLetters().find(DeadLetterFilter.all(), null, 10))
                    .hasSize(2)
                    .allMatch(letter -> letter.handler().equals("mail") && letter.attempts() == 5);
            assertThat(Unrecorded.replay(operations.deadLetters(), blocked, "mail"))
                    .isTrue();
            assertThat(Unrecorded.replay(operations.deadLetters(), dead, "mail"))
                    .isTrue();
            node.until("all is done", () -> tables.count("message") == 0 && tables.count("lane") == 0);
            assertThat(node.calls(blocked)).hasSize(1);
            assertThat(node.calls(dead)).hasSize(1);
            assertThat(node.order("mail")).containsSubsequence(blocked, behindBlocked);
            assertThat(node.order("ship")).doesNotContain(blocked, behindBlocked, dead);
        }
    }

    /** So its transactions roll back, and no row comes to stand in the tables half understood. */
    @Test
    void a_node_of_the_older_version_that_still_runs_can_store_nothing() throws SQLException {
        tables.upgrade();

        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> tables.ready("placed", 100));
        assertThat(tables.count("message")).isZero();
    }

    /** So such additions need no other number of the layout, and nodes can be replaced one by one. */
    @Test
    void a_version_that_does_not_know_new_tables_and_columns_works_beside_them() throws SQLException {
        tables.upgrade();
        tables.run("CREATE TABLE outbox_future (id INTEGER PRIMARY KEY)");
        tables.run("ALTER TABLE outbox_message ADD COLUMN future INTEGER DEFAULT 0 NOT NULL");
        tables.run("ALTER TABLE outbox_dead ADD COLUMN future VARCHAR(100)");
        tables.run("CREATE INDEX outbox_message_future ON outbox_message (created_at)");
        try {
            schema().verify();
            try (UpgradedNode node = new UpgradedNode(source(), dialect())) {
                UUID id = node.publish("placed", 100);
                node.until("it is handled", () -> tables.count("message") == 0);
                assertThat(node.calls(id)).containsExactlyInAnyOrder("ship 1", "mail 1");
            }
        } finally {
            tables.run("DROP TABLE outbox_future");
        }
    }

    @Test
    void tables_of_a_newer_layout_are_refused() throws SQLException {
        tables.upgrade();
        tables.run("UPDATE outbox_meta SET setting = 2 WHERE name = 'schema'");

        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new DatabaseCheck(source(), dialect(), LayoutZero.PREFIX).check())
                .satisfies(e -> assertThat(e.code()).isEqualTo("OUTBOX-0308"))
                .withMessageContaining("have layout 2")
                .withMessageContaining("deploy that one");
    }

    @Test
    void nothing_is_added_to_tables_of_a_newer_layout() throws SQLException {
        tables.upgrade();
        tables.run("UPDATE outbox_meta SET setting = 2 WHERE name = 'schema'");
        tables.run("DROP TABLE outbox_operation");

        for (ThrowingCallable each : List.<ThrowingCallable>of(schema()::create, schema()::verify)) {
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(each)
                    .satisfies(e -> assertThat(e.code()).isEqualTo("OUTBOX-0304"))
                    .withMessageContaining("layout 2, this version needs layout 1")
                    .withMessageContaining("deploy that one")
                    .withMessageEndingWith("Nothing was changed by this check.");
        }
        tables.run("UPDATE outbox_meta SET setting = 1 WHERE name = 'schema'");
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(schema()::verify)
                .withMessageContaining("operation is missing");
    }
}
