package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.SilentLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SilentLog.class)
class MaintenanceScheduleTest {
    private static final String FAILURES = "outbox.maintenance.failures{task=rows}";
    private static final String AGE = "outbox.maintenance.age{task=rows}";

    private long now = Duration.ofHours(1).toNanos();
    private boolean ours = true;
    private final RecordingBackend metrics = new RecordingBackend();
    private final Rows rows = new Rows();
    private final MaintenanceSchedule schedule =
            new MaintenanceSchedule(List.of(rows), () -> ours, new OutboxMeters(metrics, "shop", true), () -> now);

    /** Has a number of steps to do; each takes ten milliseconds. */
    private final class Rows implements MaintenanceTask {
        private int left;
        private int steps;
        private boolean fails;
        private String message = "no answer from the network";
        private boolean postponed;
        private boolean skipped;
        private int share = 10;
        private Runnable during = () -> {};

        @Override
        public int share() {
            return share;
        }

        @Override
        public String name() {
            return "rows";
        }

        @Override
        public Duration interval() {
            return Duration.ofMinutes(1);
        }

        @Override
        public Step step() {
            steps++;
            during.run();
            now += Duration.ofMillis(10).toNanos();
            if (fails) {
                throw new StoreException(message, true, null);
            }
            if (postponed) {
                return Step.POSTPONED;
            }
            if (skipped) {
                return Step.SKIPPED;
            }
            left = Math.max(0, left - 1);
            return left > 0 ? Step.MORE : Step.COMPLETE;
        }
    }

    @Test
    void a_complete_task_runs_again_after_its_interval() {
        runFor(Duration.ofMinutes(10));

        assertThat(rows.steps).isBetween(9, 11);
    }

    @Test
    void a_step_that_was_left_to_another_session_counts_neither_as_failure_nor_as_completion() {
        rows.skipped = true;
        runFor(Duration.ofMinutes(5));

        assertThat(rows.steps).isBetween(4, 6);
        assertThat(metrics.count(FAILURES)).isZero();
        assertThat(metrics.gauge(AGE)).isBetween(299.0, 301.0);
    }

    @Test
    void a_task_with_more_to_do_takes_its_share_of_the_time() {
        rows.left = 100;
        runFor(Duration.ofMillis(1010));
        assertThat(rows.steps).isBetween(9, 12);

        rows.share = 30;
        runFor(Duration.ofMillis(3000));
        assertThat(rows.steps).isBetween(19, 22);

        runFor(Duration.ofSeconds(30));
        assertThat(rows.left).isZero();
    }

    @Test
    void a_node_that_does_not_hold_the_shard_does_nothing_until_it_does() {
        ours = false;
        runFor(Duration.ofMinutes(10));
        assertThat(rows.steps).isZero();

        ours = true;
        runFor(Duration.ofSeconds(1));
        assertThat(rows.steps).isEqualTo(1);
    }

    @Test
    void a_failure_is_counted_and_followed_by_another_attempt_after_the_interval() {
        rows.fails = true;
        runFor(Duration.ofMinutes(5));
        assertThat(rows.steps).isBetween(4, 6);
        assertThat(metrics.count(FAILURES)).isEqualTo(rows.steps);

        rows.fails = false;
        runFor(Duration.ofMinutes(2));
        assertThat(metrics.isShown(AGE)).isTrue();
    }

    @Test
    void a_failure_is_logged_once_and_so_is_its_end() {
        try (CapturedLog log = new CapturedLog()) {
            rows.fails = true;
            runFor(Duration.ofMinutes(5));
            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .contains("OUTBOX-0435", "\"rows\"", "no answer from the network");

            rows.fails = false;
            runFor(Duration.ofMinutes(5));
            assertThat(log.lines).hasSize(2).last().asString().contains("OUTBOX-0436", "\"rows\"");
        }
    }

    @Test
    void a_failure_without_a_message_is_logged_with_its_class() {
        rows.message = null;
        rows.fails = true;
        try (CapturedLog log = new CapturedLog()) {
            runFor(Duration.ofSeconds(1));
            assertThat(log.lines).singleElement().asString().contains(": " + StoreException.class.getName());
        }
    }

    @Test
    void what_was_postponed_is_no_complete_run() {
        rows.postponed = true;
        runFor(Duration.ofMinutes(5));

        assertThat(rows.steps).isBetween(4, 6);
        assertThat(metrics.count(FAILURES)).isEqualTo(rows.steps);
        assertThat(metrics.gauge(AGE)).as("since this node runs the task").isBetween(299.0, 301.0);
    }

    @Test
    void a_task_that_has_always_failed_has_an_age() {
        rows.fails = true;
        runFor(Duration.ofHours(3));

        assertThat(metrics.gauge(AGE)).isBetween(10_799.0, 10_801.0);
    }

    @Test
    void the_age_of_the_last_run_is_shown_only_while_this_node_runs_the_tasks() {
        runFor(Duration.ofSeconds(30));
        assertThat(metrics.gauge(AGE)).isBetween(29.0, 31.0);

        ours = false;
        runFor(Duration.ofSeconds(1));
        assertThat(metrics.isShown(AGE)).isFalse();
    }

    @Test
    void a_node_that_loses_the_shard_during_a_step_shows_no_age_from_then_on() {
        rows.during = () -> {
            ours = false;
            schedule.hideIfElsewhere();
            assertThat(metrics.isShown(AGE)).isFalse();
        };
        runFor(Duration.ofMinutes(2));
        assertThat(rows.steps).isOne();
        assertThat(metrics.isShown(AGE)).isFalse();
    }

    @Test
    void one_that_has_lost_it_for_a_moment_during_a_step_shows_the_age_again() {
        rows.skipped = true;
        rows.during = () -> {
            ours = false;
            schedule.hideIfElsewhere();
            ours = true;
        };
        runFor(Duration.ofSeconds(90));
        schedule.round();

        assertThat(metrics.gauge(AGE)).isBetween(89.0, 91.0);
    }

    @Test
    void a_stopping_node_shows_nothing_even_if_a_run_ends_later() {
        schedule.end();
        runFor(Duration.ofSeconds(1));

        assertThat(rows.steps).isEqualTo(1);
        assertThat(metrics.isShown(AGE)).isFalse();
    }

    private void runFor(Duration time) {
        long end = now + time.toNanos();
        while (now < end) {
            long wait = schedule.round();
            now += Math.max(0, Math.min(wait, end - now));
        }
    }
}
