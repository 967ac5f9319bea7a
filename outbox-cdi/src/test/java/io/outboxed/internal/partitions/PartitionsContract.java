package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The partitions of a real history: tables of their own, with another prefix. */
abstract class PartitionsContract {
    static final String PREFIX = "parted_";
    static final String HISTORY = PREFIX + "history";
    static final Duration DAY = Duration.ofDays(1);
    private static final Optional<Duration> FOR_EVER = Optional.empty();

    private Connection admin;
    private OldRows rows;

    abstract Connection connect() throws SQLException;

    abstract Dialect dialect();

    /** A statement that removes the partition for everything else. */
    abstract String withoutTail();

    /** A history that is not partitioned at all. */
    abstract List<String> withoutPartitions();

    /** Adds a partition as an operator would. */
    abstract String addForeign(String name, long to);

    @BeforeEach
    void createTables() throws SQLException {
        admin = connect();
        execute("DROP TABLE IF EXISTS " + HISTORY);
        new Schema(this::connect, dialect(), PREFIX).create();
        rows = new OldRows(admin, dialect(), PREFIX);
    }

    @AfterEach
    void close() throws SQLException {
        admin.close();
    }

    // ---- creating ----

    @Test
    void an_empty_history_gets_its_partitions_and_a_second_run_changes_nothing() throws Exception {
        PartitionRun run = run(days(30, FOR_EVER));

        assertThat(run).isInstanceOf(PartitionRun.Done.class);
        assertThat(layout().partitions()).hasSizeBetween(30, 31);
        assertThat(layout().partitions().get(0).from()).isEqualTo(HistoryPartition.BEGINNING);
        assertThat(run(days(30, FOR_EVER))).isEqualTo(new PartitionRun.Done(List.of()));
        new Schema(this::connect, dialect(), PREFIX).verify();
    }

    @Test
    void rows_go_to_the_partition_of_their_time_and_the_tail_stays_empty() throws Exception {
        run(days(2, FOR_EVER));
        rows.history(rows.ago(Duration.ZERO), 3);
        rows.history(rows.ago(DAY.multipliedBy(100)), 2);
        rows.history(rows.ago(DAY.multipliedBy(-20)), 4);

        assertThat(count()).isEqualTo(9);
        assertThat(countTail()).as("beyond the look-ahead").isEqualTo(4);
    }

    /** Also the conversion of a history that was never partitioned by time. */
    @Test
    void rows_of_the_tail_move_to_the_partitions_of_their_time() throws Exception {
        rows.history(rows.ago(DAY.multipliedBy(400)), 5);
        rows.history(rows.ago(Duration.ZERO), 5);
        PartitionDryRun dryRun = maintainer(days(2, FOR_EVER)).dryRun(admin);

        assertThat(dryRun.tailRows()).isEqualTo(10);
        assertThat(dryRun.tailTooLong()).isFalse();
        assertThat(layout().partitions()).as("a dry run changes nothing").isEmpty();
        PartitionRun run = run(days(2, FOR_EVER));
        assertThat(run).isEqualTo(new PartitionRun.Done(dryRun.statements()));
        assertThat(count()).isEqualTo(10);
        assertThat(countTail()).isZero();
        new Schema(this::connect, dialect(), PREFIX).verify();
    }

    @Test
    void after_an_absence_the_rows_of_that_time_leave_the_tail() throws Exception {
        String last = layoutAfter(addForeign("long_ago", rows.ago(DAY.multipliedBy(10))));
        rows.history(rows.ago(DAY.multipliedBy(11)), 1);
        rows.history(rows.ago(DAY.multipliedBy(9)), 2);
        rows.history(rows.ago(Duration.ZERO), 3);
        assertThat(countTail()).as("after %s", last).isEqualTo(5);

        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
        assertThat(count()).isEqualTo(6);
    }

    @Test
    void a_long_tail_is_left_alone_unless_that_is_wanted() throws Exception {
        rows.history(rows.ago(Duration.ZERO), 11);
        PartitionSettings few =
                new PartitionSettings(Period.DAY, DAY, FOR_EVER, 10, PartitionSettings.DEFAULT_LOCK_WAIT);

        assertThat(maintainer(few).dryRun(admin).tailTooLong()).isTrue();
        try (CapturedLog log = new CapturedLog()) {
            assertThat(run(few)).isEqualTo(new PartitionRun.TailTooLong(List.of(), 11));
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0466") && line.contains("more than 10 rows"));
        }
        assertThat(layout().partitions()).isEmpty();

        assertThat(run(few.withAnyTail())).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
        assertThat(count()).isEqualTo(11);
    }

    @Test
    void hours_and_months_follow_each_other() throws Exception {
        run(new PartitionSettings(Period.HOUR, Duration.ofHours(5), FOR_EVER, 10, PartitionSettings.DEFAULT_LOCK_WAIT));
        int hours = layout().partitions().size();
        run(new PartitionSettings(
                Period.MONTH, DAY.multipliedBy(62), FOR_EVER, 10, PartitionSettings.DEFAULT_LOCK_WAIT));

        assertThat(hours).isBetween(5, 6);
        assertThat(layout().partitions()).hasSizeBetween(hours + 2, hours + 4);
    }

    // ---- dropping ----

    @Test
    void old_partitions_are_dropped_with_their_rows_and_foreign_ones_stay() throws Exception {
        execute(addForeign("audit", rows.ago(DAY.multipliedBy(30))));
        execute(addForeign("p20010101", rows.ago(DAY.multipliedBy(20))));
        execute(addForeign("p20010102", rows.ago(DAY.multipliedBy(5))));
        rows.history(rows.ago(DAY.multipliedBy(31)), 1);
        rows.history(rows.ago(DAY.multipliedBy(21)), 2);
        rows.history(rows.ago(DAY.multipliedBy(6)), 4);
        rows.history(rows.ago(Duration.ZERO), 8);
        PartitionSettings week = days(2, Optional.of(DAY.multipliedBy(7)));
        PartitionDryRun dryRun = maintainer(week).dryRun(admin);

        assertThat(dryRun.plan().dropped()).extracting(HistoryPartition::name).containsExactly("p20010101");
        assertThat(run(week)).isEqualTo(new PartitionRun.Done(dryRun.statements()));
        assertThat(count()).isEqualTo(1 + 4 + 8);
        assertThat(layout().partitions())
                .extracting(HistoryPartition::name)
                .contains("audit", "p20010102")
                .doesNotContain("p20010101");
    }

    @Test
    void what_no_partition_can_drop_is_deleted_row_by_row() throws Exception {
        execute(addForeign("audit", rows.ago(DAY.multipliedBy(30))));
        run(days(2, FOR_EVER));
        rows.history(rows.ago(DAY.multipliedBy(31)), 10);
        rows.history(rows.ago(Duration.ZERO), 5);
        RetentionPolicy policy = RetentionPolicy.keepAll()
                .with(AgedTable.HISTORY, DAY.multipliedBy(9))
                .withBatchSize(3);

        assertThat(new Cleanup(dialect(), PREFIX).run(admin, policy, batch -> {}))
                .isEqualTo(Map.of(AgedTable.HISTORY, 10L));
        assertThat(count()).isEqualTo(5);
    }

    // ---- beside others ----

    @Test
    void each_change_is_logged() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            List<String> statements = run(days(2, FOR_EVER)).statements();
            assertThat(statements)
                    .isNotEmpty()
                    .allSatisfy(statement -> assertThat(log.lines)
                            .contains("INFO OUTBOX-0464 changing the partitions of the history: " + statement));
        }
    }

    @Test
    void one_session_at_a_time_maintains_the_partitions() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        try (Connection other = connect()) {
            new Jdbc(other, dialect()).list(sql.lock(), row -> row.getLong("found"));

            assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Busy.class);
            assertThat(layout().partitions()).isEmpty();
        }
        for (int attempt = 0; run(days(2, FOR_EVER)) instanceof PartitionRun.Busy; attempt++) {
            assertThat(attempt).as("the server notices the end of the session").isLessThan(1000);
        }
        assertThat(layout().partitions()).isNotEmpty();
    }

    @Test
    void a_transaction_that_uses_the_history_is_waited_for_only_briefly() throws Exception {
        try (Connection business = connect()) {
            business.setAutoCommit(false);
            new OldRows(business, dialect(), PREFIX).history(rows.ago(Duration.ZERO), 1);
            long startedAt = System.nanoTime();
            PartitionRun run = run(days(2, FOR_EVER));

            assertThat(run).isInstanceOf(PartitionRun.Postponed.class);
            assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(Duration.ofSeconds(20));
            business.commit();
        }
        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void the_session_keeps_its_settings_and_its_lock_is_released() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        String before = text(sql.lockWait());
        run(days(2, FOR_EVER));

        assertThat(text(sql.lockWait())).isEqualTo(before);
        try (Connection other = connect()) {
            assertThat(new Jdbc(other, dialect()).list(sql.lock(), row -> row.getLong("found")))
                    .containsExactly(1L);
        }
    }

    @Test
    void it_runs_on_the_relays_own_connections() {
        try (Connections connections = new Connections(this::connect, dialect(), 1)) {
            assertThat(connections.<PartitionRun>read(
                            jdbc -> maintainer(days(2, FOR_EVER)).run(jdbc.connection())))
                    .isInstanceOf(PartitionRun.Done.class);
        }
    }

    // ---- in another schema ----

    @Test
    void a_history_in_another_schema_is_maintained() throws Exception {
        String prefix = "outboxed.parted_";
        execute("CREATE SCHEMA IF NOT EXISTS outboxed");
        execute("DROP TABLE IF EXISTS " + prefix + "history");
        Schema schema = new Schema(this::connect, dialect(), prefix);
        schema.create();
        OldRows elsewhere = new OldRows(admin, dialect(), prefix);
        elsewhere.history(rows.ago(DAY.multipliedBy(20)), 4);
        elsewhere.history(rows.ago(Duration.ZERO), 2);
        PartitionMaintainer all = new PartitionMaintainer(dialect(), prefix, days(3, FOR_EVER));

        assertThat(all.run(admin)).isInstanceOf(PartitionRun.Done.class);
        assertThat(all.run(admin)).isEqualTo(new PartitionRun.Done(List.of()));
        assertThat(layout().partitions())
                .as("of the table in the connection's schema")
                .isEmpty();
        assertThat(count(prefix + "history")).isEqualTo(6);
        PartitionMaintainer later =
                new PartitionMaintainer(dialect(), prefix, days(10, Optional.of(DAY.multipliedBy(7))));
        assertThat(later.run(admin).statements()).isNotEmpty();
        schema.verify();
    }

    // ---- unsuitable tables ----

    @Test
    void a_history_without_a_tail_is_refused() throws Exception {
        run(days(2, FOR_EVER));
        execute(withoutTail());

        assertThatThrownBy(() -> run(days(10, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0312")
                .hasMessageContaining("Nothing was changed");
    }

    @Test
    void a_history_without_partitions_is_refused() throws Exception {
        for (String statement : withoutPartitions()) {
            execute(statement);
        }

        assertThatThrownBy(() -> run(days(2, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0312")
                .hasMessageContaining("null: not at all");
    }

    // ---- ----

    final PartitionSettings days(int lookAhead, Optional<Duration> retention) {
        return PartitionSettings.of(Period.DAY, DAY.multipliedBy(lookAhead), retention);
    }

    final PartitionMaintainer maintainer(PartitionSettings settings) {
        return new PartitionMaintainer(dialect(), PREFIX, settings);
    }

    final PartitionRun run(PartitionSettings settings) throws SQLException {
        return maintainer(settings).run(admin);
    }

    final PartitionLayout layout() throws SQLException {
        return PartitionLayout.read(new Jdbc(admin, dialect()), new PartitionSql(dialect(), PREFIX));
    }

    private String layoutAfter(String statement) throws SQLException {
        execute(statement);
        return layout().toString();
    }

    final void execute(String sql) throws SQLException {
        try (Statement statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String query) throws SQLException {
        return new Jdbc(admin, dialect())
                .list(query, row -> row.getString("found"))
                .get(0);
    }

    private int count() throws SQLException {
        return count(HISTORY);
    }

    private int count(String table) throws SQLException {
        return new Jdbc(admin, dialect())
                .list("SELECT COUNT(*) AS found FROM " + table, row -> row.getInt("found"))
                .get(0);
    }

    private long countTail() throws SQLException {
        return new Jdbc(admin, dialect())
                .list(
                        new PartitionSql(dialect(), PREFIX).countTail(layout().tail()),
                        row -> row.getLong("found"),
                        1_000_000)
                .get(0);
    }
}
