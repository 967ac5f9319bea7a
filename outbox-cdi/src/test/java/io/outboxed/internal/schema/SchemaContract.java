package io.outboxed.internal.schema;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.store.JdbcContract;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Creating and checking the tables. */
public interface SchemaContract extends JdbcContract {

    /** A prefix that no other test uses. */
    private String other() {
        return jdbc().qualifier() + "shop1_";
    }

    private Schema otherSchema() throws SQLException {
        for (DdlScript.Table table : DdlScript.of(jdbc().dialect(), other()).tables()) {
            jdbc().run("DROP TABLE IF EXISTS " + table.name());
        }
        return new Schema(jdbc().source(), jdbc().dialect(), other());
    }

    @Test
    default void several_nodes_create_the_tables_at_once_under_any_prefix() throws Exception {
        Schema schema = otherSchema();
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Boolean>> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(elsewhere(() -> {
                together.await();
                schema.create();
                return true;
            }));
        }
        for (CompletableFuture<Boolean> node : nodes) {
            assertThat(result(node)).isTrue();
        }
        schema.verify();
        assertThat(jdbc().count(other() + "shard")).isEqualTo(64);
        new LockProbe(jdbc().source(), jdbc().source(), jdbc().dialect(), other()).check();
        new DatabaseCheck(jdbc().source(), jdbc().dialect(), other()).check();
        try (JdbcRelayStore store = new JdbcRelayStore(
                jdbc().source(), jdbc().dialect(), other(), false, dropped -> {}, Duration.ofSeconds(10))) {
            assertThat(store.store().shards().all()).hasSize(64);
        }
    }

    @Test
    default void creating_again_keeps_what_is_there() throws Exception {
        MessageHead head = publish();
        jdbc().run("DELETE FROM outbox_shard WHERE shard = 63");
        new Schema(jdbc().source(), jdbc().dialect(), jdbc().prefix()).create();
        assertThat(ready()).containsExactly(head);
        assertThat(store().shards().all().get(SHARD).owner()).isEqualTo("me");
        assertThat(store().shards().all()).hasSize(64);
    }

    @Test
    default void everything_that_does_not_fit_is_listed_with_its_repair() throws Exception {
        Schema schema = otherSchema();
        schema.create();
        SchemaSql sql = new SchemaSql(jdbc().dialect(), null);
        jdbc().run("DROP TABLE " + other() + "dead");
        jdbc().run("ALTER TABLE " + other() + "message DROP COLUMN headers");
        jdbc().run("ALTER TABLE " + other() + "node DROP COLUMN label");
        jdbc().run("ALTER TABLE " + other() + "node ADD COLUMN label VARCHAR(10)");
        jdbc().run(sql.changeType(
                        other() + "handler",
                        new DdlScript.Column("registry_version", "INTEGER", 0, "registry_version INTEGER NOT NULL"))
                .get(0));
        dropIndex(other() + "lane", "shop1_lane_resume");
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(schema::verify)
                .satisfies(e -> assertThat(e.code()).isEqualTo("OUTBOX-0304"))
                .withMessageContaining("table " + other() + "dead is missing")
                .withMessageContaining("column " + other() + "message.headers is missing")
                .withMessageContaining(
                        "column " + other() + "node.label is CHARACTER VARYING(10), expected CHARACTER VARYING(255)")
                .withMessageContaining("column " + other() + "handler.registry_version is INTEGER")
                .withMessageContaining("index on " + other() + "lane (shard, resume_at) is missing")
                .withMessageContaining("ADD COLUMN headers");
        for (SchemaCheck.Finding finding : schema.findings()) {
            for (String ddl : finding.ddl()) {
                jdbc().execute(ddl);
            }
        }
        schema.verify();
    }

    /** Who reads that nothing was changed can rely on it. */
    @Test
    default void nothing_is_created_while_something_else_does_not_fit() throws Exception {
        Schema schema = otherSchema();
        schema.create();
        jdbc().run("DROP TABLE " + other() + "dead");
        jdbc().run("ALTER TABLE " + other() + "message DROP COLUMN headers");

        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(schema::create)
                .withMessageContaining("2 problems")
                .withMessageContaining("Nothing was changed");
        assertThat(schema.findings()).hasSize(2);
    }

    default void dropIndex(String table, String index) throws SQLException {
        for (String ddl : new SchemaSql(jdbc().dialect(), null).dropIndex(table, index)) {
            jdbc().run(ddl);
        }
    }

    @Test
    default void a_database_whose_numbers_or_shards_do_not_fit_is_refused() throws Exception {
        Schema schema = otherSchema();
        schema.create();
        jdbc().run("DELETE FROM " + other() + "shard WHERE shard = 5");
        jdbc().run("UPDATE " + other() + "meta SET setting = 32 WHERE name = 'shards'");
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> new DatabaseCheck(jdbc().source(), jdbc().dialect(), other()).check())
                .satisfies(e -> assertThat(e.code()).isEqualTo("OUTBOX-0308"))
                .withMessageContaining("2 problems:")
                .withMessageContaining("'shards' of " + other() + "meta says 32")
                .withMessageContaining("0 to 63");
    }
}
