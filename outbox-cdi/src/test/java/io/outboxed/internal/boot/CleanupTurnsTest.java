package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.relay.MaintenanceTask.Step;
import io.outboxed.internal.retention.AgedDatabase;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.RetentionPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No table is cleaned at the expense of another one. */
class CleanupTurnsTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration INTERVAL = Duration.ofMinutes(7);
    private static final int BATCH = 3;
    private static final RetentionPolicy POLICY = new RetentionPolicy(
            Map.of(AgedTable.HISTORY, WEEK, AgedTable.INBOX, WEEK, AgedTable.DEAD_LETTERS, WEEK), BATCH);
    private static final int TABLES = POLICY.ages().size();

    private AgedDatabase database;
    private Connections connections;
    private CleanupTask cleanup;
    private long now;

    @BeforeEach
    void createTables() throws SQLException {
        database = new AgedDatabase();
        connections = new Connections(database::connect, Dialect.H2, 1);
        cleanup = cleanupEvery(INTERVAL);
    }

    private CleanupTask cleanupEvery(Duration interval) {
        return new CleanupTask(
                new Cleanup(Dialect.H2, AgedDatabase.PREFIX),
                POLICY,
                interval,
                AgedDatabase.PREFIX,
                connections,
                new OutboxMeters(new RecordingBackend(), "shop", true),
                new CleanupAudit(
                        new OutboxOperations(database::connect, Dialect.H2, AgedDatabase.PREFIX).audit(), "shop-1"),
                () -> now);
    }

    @AfterEach
    void close() throws SQLException {
        connections.close();
        database.close();
    }

    @Test
    void a_long_history_does_not_hold_up_the_inbox_and_the_dead_letters() throws Exception {
        old("history", 20);
        old("inbox", 1);
        old("dead", 1);

        steps(TABLES);

        assertThat(database.count("inbox")).isZero();
        assertThat(database.count("dead")).isZero();
        assertThat(database.count("history")).isEqualTo(20 - BATCH);
        assertThat(stepsToTheEnd()).isEqualTo(Step.COMPLETE);
        assertThat(database.count("history")).isZero();
    }

    @Test
    void a_history_that_grows_faster_than_it_is_deleted_does_not_hold_up_the_next_pass_of_the_inbox() throws Exception {
        old("history", 50);
        steps(2 * TABLES);
        old("inbox", 1);

        steps(TABLES);
        assertThat(database.count("inbox")).as("before the interval has passed").isOne();

        now += INTERVAL.toNanos();
        steps(TABLES);
        assertThat(database.count("inbox")).isZero();
        assertThat(database.count("history")).isPositive();
    }

    @Test
    void a_table_that_could_not_be_cleaned_is_tried_again_after_an_hour_while_the_history_is_long() throws Exception {
        old("history", 50);
        database.execute("ALTER TABLE outbox_inbox RENAME TO renamed");
        steps(1);
        assertThatThrownBy(() -> steps(1)).hasRootCauseInstanceOf(SQLException.class);
        now += INTERVAL.plusMinutes(59).toNanos();
        steps(2 * TABLES);
        database.execute("ALTER TABLE renamed RENAME TO outbox_inbox");
        old("inbox", 1);

        now += Duration.ofMinutes(1).toNanos();
        steps(TABLES);

        assertThat(database.count("inbox")).isZero();
        assertThat(stepsToTheEnd()).as("all was cleaned in the end").isEqualTo(Step.COMPLETE);
    }

    /** After each failure all tables rest for the interval. If it were tried again then, none would get on. */
    @Test
    void nor_does_a_table_that_can_not_be_cleaned_hold_up_the_history_if_the_interval_is_long() throws Exception {
        Duration interval = Duration.ofHours(2);
        cleanup = cleanupEvery(interval);
        old("history", 50);
        database.execute("ALTER TABLE outbox_inbox RENAME TO renamed");
        steps(1);
        assertThatThrownBy(() -> steps(1)).hasRootCauseInstanceOf(SQLException.class);

        now += interval.toNanos();
        steps(2 * TABLES);
        assertThat(database.count("history")).as("after the rest").isLessThan(50 - 4 * BATCH);

        now += interval.toNanos();
        assertThatThrownBy(() -> steps(TABLES)).as("its next turn").hasRootCauseInstanceOf(SQLException.class);
    }

    private void old(String table, int number) throws SQLException {
        long time = database.rows.ago(WEEK.plusDays(1));
        switch (table) {
            case "history" -> database.rows.history(time, number);
            case "inbox" -> database.rows.inbox(time, number);
            default -> database.rows.deadLetters(time, 0, number);
        }
    }

    private void steps(int number) {
        for (int i = 0; i < number; i++) {
            assertThat(cleanup.step()).isEqualTo(Step.MORE);
        }
    }

    private Step stepsToTheEnd() {
        Step last;
        do {
            last = cleanup.step();
        } while (last == Step.MORE);
        return last;
    }
}
