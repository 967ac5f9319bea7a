package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig.PartitionBy;
import io.outboxed.internal.config.OutboxConfig.Partitions;
import io.outboxed.internal.config.OutboxConfig.Retention;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.partitions.PartitionRun;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.MaintenanceTask.Step;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MaintenanceTasksTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration INTERVAL = Duration.ofMinutes(7);
    private static final Partitions NONE = Partitions.DEFAULTS;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final RecordingBackend metrics = new RecordingBackend();
    private final OutboxMeters meters = new OutboxMeters(metrics, "shop", true);

    @Test
    void without_settings_only_the_inbox_and_the_audit_are_cleaned() {
        assertThat(MaintenanceTasks.policy(Retention.DEFAULTS).ages())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        AgedTable.INBOX, Duration.ofDays(30),
                        AgedTable.AUDIT, Duration.ofDays(365),
                        AgedTable.OPERATIONS, Duration.ofDays(365)));
    }

    @Test
    void rows_are_deleted_at_the_age_that_is_configured_for_their_table() {
        Duration inbox = Duration.ofDays(2);
        Duration deadLetters = Duration.ofDays(90);
        Duration audit = Duration.ofDays(400);

        assertThat(MaintenanceTasks.policy(new Retention(
                                true, inbox, Optional.of(WEEK), Optional.of(deadLetters), audit, INTERVAL, 3, NONE))
                        .ages())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        AgedTable.INBOX, inbox,
                        AgedTable.HISTORY, WEEK,
                        AgedTable.DEAD_LETTERS, deadLetters,
                        AgedTable.AUDIT, audit,
                        AgedTable.OPERATIONS, audit));
    }

    @Test
    void rows_of_a_partitioned_history_are_deleted_only_if_their_partition_is_not_dropped() {
        assertThat(MaintenanceTasks.policy(retention(NONE)).ages()).containsEntry(AgedTable.HISTORY, WEEK);
        assertThat(MaintenanceTasks.policy(
                                retention(new Partitions(PartitionBy.DAY, Duration.ofDays(30), Duration.ofHours(1))))
                        .ages())
                .containsEntry(AgedTable.HISTORY, WEEK.plusDays(1).plusHours(2));
    }

    @Test
    void partitions_on_h2_fail_the_deployment() {
        Duration interval = Duration.ofHours(5);
        Retention daily = retention(new Partitions(PartitionBy.DAY, Duration.ofDays(30), interval));

        assertThatThrownBy(() -> new MaintenanceTasks(Dialect.H2, "outbox_", daily))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0311")
                .hasMessageContaining("DAY");
        try (Connections connections = new Connections(this::connect, Dialect.MYSQL, 1)) {
            List<MaintenanceTask> tasks =
                    new MaintenanceTasks(Dialect.MYSQL, "outbox_", daily).all(connections, meters, audit());

            assertThat(tasks)
                    .extracting(MaintenanceTask::name)
                    .containsExactly("cleanup", "retired-handlers", "partitions");
            assertThat(tasks.get(2).interval()).isEqualTo(interval);
        }
    }

    @Test
    void the_cleanup_begins_again_after_the_interval_that_is_configured() {
        try (Connections connections = new Connections(this::connect, Dialect.H2, 1)) {
            assertThat(tasks(connections).get(0).interval()).isEqualTo(INTERVAL);
        }
    }

    @Test
    void the_cleanup_deletes_a_batch_in_each_step_and_counts_the_rows() throws Exception {
        try (Connection admin = connect();
                Connections connections = new Connections(this::connect, Dialect.H2, 1)) {
            new Schema(this::connect, Dialect.H2, "outbox_").create();
            OldRows rows = new OldRows(admin, Dialect.H2, "outbox_");
            for (int day = 8; day < 15; day++) {
                rows.history(rows.ago(Duration.ofDays(day)), 1);
            }
            rows.history(rows.ago(Duration.ofDays(6)), 1);
            MaintenanceTask cleanup = tasks(connections).get(0);

            assertThat(metrics.counts()).containsEntry("outbox.cleanup.rows{table=history}", 0L);
            assertThat(cleanup.step()).isEqualTo(Step.MORE);
            assertThat(metrics.count("outbox.cleanup.rows{table=history}")).isEqualTo(3);
            int steps = 1;
            while (cleanup.step() == Step.MORE) {
                steps++;
            }
            assertThat(steps).isLessThan(8);
            assertThat(metrics.count("outbox.cleanup.rows{table=history}")).isEqualTo(7);
            assertThat(count(admin, "outbox_history")).isEqualTo(1);
            assertThat(cleanup.step()).as("begins anew").isEqualTo(Step.MORE);
        }
    }

    @Test
    void each_hundred_thousand_rows_of_a_pass_are_logged_and_so_is_its_end() throws Exception {
        try (Connection admin = connect();
                Connections connections = new Connections(this::connect, Dialect.H2, 1);
                Statement statement = admin.createStatement();
                CapturedLog log = new CapturedLog()) {
            new Schema(this::connect, Dialect.H2, "outbox_").create();
            statement.execute("INSERT INTO outbox_inbox (receiver, message_id, first_call, received_at)"
                    + " SELECT 'r' || x, RANDOM_UUID(), RANDOM_UUID(), 1 FROM SYSTEM_RANGE(1, 150000)");
            Retention inLargeBatches = new Retention(
                    true, Duration.ofDays(30), Optional.empty(), Optional.empty(), WEEK, INTERVAL, 50_000, NONE);
            MaintenanceTask cleanup = new MaintenanceTasks(Dialect.H2, "outbox_", inLargeBatches)
                    .all(connections, meters, audit())
                    .get(0);

            while (cleanup.step() == Step.MORE) {
                // until the pass ends
            }
            assertThat(log.lines)
                    .extracting(line -> line.substring(line.indexOf("OUTBOX")))
                    .containsExactly(
                            "OUTBOX-0461 deleted 100,000 old rows from outbox_inbox so far",
                            "OUTBOX-0462 deleted 150,000 rows older than 30d from outbox_inbox");
        }
    }

    @Test
    void dead_letters_that_are_deleted_because_of_their_age_are_logged_however_few() throws Exception {
        try (Connection admin = connect();
                Connections connections = new Connections(this::connect, Dialect.H2, 1);
                CapturedLog log = new CapturedLog()) {
            new Schema(this::connect, Dialect.H2, "outbox_").create();
            OldRows rows = new OldRows(admin, Dialect.H2, "outbox_");
            rows.inbox(rows.ago(Duration.ofDays(31)), 4);
            rows.deadLetters(rows.ago(Duration.ofDays(8)), 0, 4);
            rows.deadLetters(rows.ago(Duration.ofDays(6)), 0, 1);
            Retention weekly = new Retention(
                    true, Duration.ofDays(30), Optional.empty(), Optional.of(WEEK), WEEK, INTERVAL, 3, NONE);
            MaintenanceTask cleanup = new MaintenanceTasks(Dialect.H2, "outbox_", weekly)
                    .all(connections, meters, audit())
                    .get(0);

            for (int pass = 0; pass < 2; pass++) {
                while (cleanup.step() == Step.MORE) {
                    // until the pass ends
                }
            }
            assertThat(count(admin, "outbox_dead")).isOne();
            assertThat(log.lines)
                    .extracting(line -> line.substring(line.indexOf("OUTBOX")))
                    .as("each batch, because the pass may not come to its end")
                    .containsExactly(
                            "OUTBOX-0461 deleted 3 old rows from outbox_dead so far",
                            "OUTBOX-0462 deleted 4 rows older than 7d from outbox_dead");
        }
    }

    @Test
    void a_retention_of_minutes_is_logged_as_it_is() throws Exception {
        try (Connection admin = connect();
                Connections connections = new Connections(this::connect, Dialect.H2, 1);
                CapturedLog log = new CapturedLog()) {
            new Schema(this::connect, Dialect.H2, "outbox_").create();
            OldRows rows = new OldRows(admin, Dialect.H2, "outbox_");
            rows.deadLetters(rows.ago(Duration.ofHours(1)), 0, 1);
            Retention halfHour = new Retention(
                    true,
                    Duration.ofDays(30),
                    Optional.empty(),
                    Optional.of(Duration.ofMinutes(30)),
                    WEEK,
                    INTERVAL,
                    3,
                    NONE);
            MaintenanceTask cleanup = new MaintenanceTasks(Dialect.H2, "outbox_", halfHour)
                    .all(connections, meters, audit())
                    .get(0);

            while (cleanup.step() == Step.MORE) {
                // until the pass ends
            }
            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .endsWith("OUTBOX-0462 deleted 1 row older than 30m from outbox_dead");
        }
    }

    @Test
    void a_table_that_cannot_be_cleaned_does_not_hold_up_the_others() throws Exception {
        try (Connection admin = connect();
                Connections connections = new Connections(this::connect, Dialect.H2, 1);
                Statement statement = admin.createStatement()) {
            new Schema(this::connect, Dialect.H2, "outbox_").create();
            OldRows rows = new OldRows(admin, Dialect.H2, "outbox_");
            rows.inbox(rows.ago(Duration.ofDays(31)), 1);
            statement.execute("DROP TABLE outbox_history");
            MaintenanceTask cleanup = tasks(connections).get(0);

            assertThatThrownBy(cleanup::step).hasRootCauseInstanceOf(SQLException.class);
            Step last = cleanup.step();
            for (int i = 0; i < 100 && last == Step.MORE; i++) {
                last = cleanup.step();
            }
            assertThat(last).as("no second failure of this run").isEqualTo(Step.SKIPPED);
            assertThat(count(admin, "outbox_inbox")).isZero();
            assertThatThrownBy(cleanup::step).as("begins anew").hasRootCauseInstanceOf(SQLException.class);
        }
    }

    @Test
    void the_removal_of_a_retired_handler_is_logged() throws Exception {
        try (Connection admin = connect();
                Connections connections = new Connections(this::connect, Dialect.H2, 1);
                CapturedLog log = new CapturedLog()) {
            new Schema(this::connect, Dialect.H2, "outbox_").create();
            try (Statement statement = admin.createStatement()) {
                statement.execute("INSERT INTO outbox_handler (type, handler, handler_group, registry_version, retired)"
                        + " VALUES ('order.placed', 'Warehouse.ship', 'Warehouse', 1, 1)");
            }

            assertThat(tasks(connections).get(1).step()).isEqualTo(Step.COMPLETE);
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0463") && line.contains("Warehouse.ship"));
            assertThat(count(admin, "outbox_handler")).isZero();
        }
    }

    @Test
    void partitions_that_another_session_maintains_are_looked_at_again_soon_and_logged_if_it_stays() {
        Duration interval = Duration.ofHours(1);
        Deque<PartitionRun> runs = new ArrayDeque<>(List.of(
                new PartitionRun.Busy(),
                new PartitionRun.Done(List.of()),
                new PartitionRun.Busy(),
                new PartitionRun.Busy(),
                new PartitionRun.Busy(),
                new PartitionRun.Done(List.of())));
        PartitionTask task = new PartitionTask(runs::remove, interval);
        try (CapturedLog log = new CapturedLog()) {
            assertThat(task.step()).as("is no failure").isEqualTo(Step.SKIPPED);
            assertThat(task.interval()).isEqualTo(Duration.ofMinutes(1));
            assertThat(task.step()).isEqualTo(Step.COMPLETE);
            assertThat(task.interval()).isEqualTo(interval);
            assertThat(task.step()).isEqualTo(Step.SKIPPED);
            assertThat(log.lines).isEmpty();

            assertThat(task.step()).isEqualTo(Step.POSTPONED);
            assertThat(task.interval()).as("after a long conversion, too").isEqualTo(interval);
            assertThat(task.step()).isEqualTo(Step.POSTPONED);
            assertThat(log.lines).singleElement().asString().contains("OUTBOX-0470");
            assertThat(task.step()).isEqualTo(Step.COMPLETE);
        }
    }

    private CleanupAudit audit() {
        return new CleanupAudit(new OutboxOperations(this::connect, Dialect.H2, "outbox_").audit(), "shop-1");
    }

    private List<MaintenanceTask> tasks(Connections connections) {
        return new MaintenanceTasks(Dialect.H2, "outbox_", retention(NONE)).all(connections, meters, audit());
    }

    private static Retention retention(Partitions partitions) {
        return new Retention(
                true, Duration.ofDays(30), Optional.of(WEEK), Optional.empty(), WEEK, INTERVAL, 3, partitions);
    }

    private static int count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }
}
