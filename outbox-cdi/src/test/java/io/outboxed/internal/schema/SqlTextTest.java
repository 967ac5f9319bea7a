package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SqlTextTest {
    @Test
    void a_prefix_is_an_identifier() {
        for (String prefix : List.of("outbox_", "a", "x_9", "a".repeat(30), "app.outbox_", "a".repeat(63) + ".b")) {
            assertThat(SqlText.valid(prefix)).isEqualTo(prefix);
        }
        for (String prefix : List.of(
                "",
                "9a",
                "_a",
                "A",
                "aB",
                "a-b",
                "a.",
                ".b",
                "a.b.c",
                "9.b",
                "A.b",
                "a b",
                "x; DROP TABLE y",
                "x'.y",
                "\u00e4",
                "a".repeat(31),
                "a".repeat(64) + ".b")) {
            assertThatExceptionOfType(OutboxException.class)
                    .isThrownBy(() -> SqlText.valid(prefix))
                    .withMessageStartingWith("OUTBOX-0303");
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_name_keeps_the_default_prefix_under_another_one(Dialect dialect) {
        DdlScript script = DdlScript.of(dialect, "shop_");
        assertThat(script.statements()).isNotEmpty().noneMatch(sql -> sql.contains("outbox_"));
        assertThat(script.tables()).extracting(DdlScript.Table::name).allMatch(name -> name.startsWith("shop_"));
        assertThat(new Sql(dialect, "shop_").nodes.join).contains("shop_node").doesNotContain("outbox_", ":now");
    }

    @ParameterizedTest
    @EnumSource
    void the_schema_is_named_wherever_the_table_is_and_an_index_follows_its_table(Dialect dialect) {
        SqlText app = new SqlText(dialect, "app.outbox_");
        assertThat(app.of("CREATE INDEX IF NOT EXISTS outbox_lane_x ON outbox_lane (x)"))
                .isEqualTo("CREATE INDEX IF NOT EXISTS outbox_lane_x ON app.outbox_lane (x)");
        assertThat(app.of("CREATE TABLE outbox_lane (PRIMARY KEY (x), KEY outbox_lane_x (x))"))
                .isEqualTo("CREATE TABLE app.outbox_lane (PRIMARY KEY (x), KEY outbox_lane_x (x))");
        assertThat(app.of("DROP INDEX outbox_lane_x"))
                .isEqualTo("DROP INDEX " + (dialect.isMySqlFamily() ? "" : "app.") + "outbox_lane_x");
        assertThat(DdlScript.of(dialect, "app.shop_").tables())
                .extracting(DdlScript.Table::name)
                .hasSameSizeAs(DdlScript.of(dialect, "shop_").tables())
                .allMatch(name -> name.startsWith("app.shop_"));
        assertThat(UpgradeScript.text(dialect, "app.shop_", 0))
                .contains("ALTER TABLE app.shop_message")
                .contains("DROP INDEX " + (dialect.isMySqlFamily() ? "" : "app.") + "shop_delivery_lane");
        assertThat(new Sql(dialect, "app.shop_").nodes.join).contains(" app.shop_node ");
    }

    @Test
    void a_statement_is_described_by_its_verb_and_table() {
        assertThat(SqlText.describe("UPDATE outbox_node SET x = 1")).isEqualTo("UPDATE outbox_node");
        assertThat(SqlText.describe("(SELECT 1 FROM outbox_message m FOR UPDATE SKIP LOCKED)"))
                .isEqualTo("SELECT outbox_message");
        assertThat(SqlText.describe("SELECT EXTRACT(EPOCH FROM m.at) FROM (SELECT 1) k STRAIGHT_JOIN outbox_lane m"))
                .isEqualTo("SELECT outbox_lane");
        assertThat(SqlText.describe("DELETE FROM app.outbox_lane WHERE lane = ?"))
                .isEqualTo("DELETE app.outbox_lane");
        assertThat(SqlText.describe("SET x = 'secret'")).isEqualTo("SET");
    }

    @Test
    void vendor_codes_tell_what_may_be_repeated() {
        Throwable circle = new IllegalStateException();
        circle.initCause(new IllegalStateException(circle));
        assertThat(SqlFailure.isTransient(circle)).isFalse();
        assertThat(SqlFailure.isTransient(new SQLException("lock wait", "HY000", 1205)))
                .isTrue();
        assertThat(SqlFailure.isTransient(new SQLException("changed", "HY000", 1020)))
                .isTrue();
        assertThat(SqlFailure.isTransient(new SQLException("H2 lock", "HYT00", 50200)))
                .isTrue();
        assertThat(SqlFailure.isForAllRows(new SQLException("out of shared memory", "53200")))
                .isTrue();
        assertThat(SqlFailure.isForAllRows(new SQLException("lock table full", "HY000", 1206)))
                .isTrue();
        assertThat(SqlFailure.isTransient(new SQLException("gone", "08S01"))).isTrue();
        assertThat(SqlFailure.isTransient(new IllegalStateException(new SQLException("idle", "25P03"))))
                .isTrue();
        assertThat(SqlFailure.isConnectionLost(new SQLException("transaction timeout", "25P04")))
                .isTrue();
        assertThat(SqlFailure.isTransient(new SQLException("too long", "22001", 1406)))
                .isFalse();
        assertThat(SqlFailure.isRolledBack(new SQLException("lock wait", "40001", 1205)))
                .isFalse();
        SQLException batch = new SQLException("batch", "HY000");
        batch.setNextException(new SQLException("deadlock", "40P01"));
        assertThat(SqlFailure.isRolledBack(batch)).isTrue();
    }

    @Test
    void a_statement_that_the_server_ends_at_its_limit_of_time_may_be_repeated_and_has_met_no_lock() {
        List<SQLException> ended = List.of(
                new SQLException("canceling statement due to statement timeout", "57014"),
                new SQLException("maximum statement execution time exceeded", "HY000", 3024),
                new SQLException("Query execution was interrupted (max_statement_time exceeded)", "70100", 1969));

        assertThat(ended).map(e -> SqlFailure.ofStatement("SELECT", e)).allSatisfy(failure -> {
            assertThat(failure.isTransient()).isTrue();
            assertThat(failure.isRowLocked() || failure.isConnectionLost() || failure.isForAllRows())
                    .isFalse();
            assertThat(SqlFailure.isRolledBack(failure)).isFalse();
        });
    }
}
