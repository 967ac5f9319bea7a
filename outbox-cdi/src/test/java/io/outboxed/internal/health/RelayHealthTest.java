package io.outboxed.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a probe says down, and when it must not. The lease is 10 s, "long" one minute. */
class RelayHealthTest {
    private static final Duration NOW = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(61);

    private long now = 1;
    private final RelayHealth health = new RelayHealth(OutboxConfig.DEFAULTS, () -> now);
    private RelayStatus status = node("me", 64, NOW, NOW, NOW);

    private static RelayStatus node(
            String owner, int shards, Duration iteration, Duration membershipRound, Duration heartbeat) {
        return new RelayStatus(
                owner, shards, 3, Duration.ZERO, iteration, membershipRound, Optional.ofNullable(heartbeat), List.of());
    }

    private void start() {
        health.schemaVerified("H2 2.4.240");
        health.started(Optional.of(() -> status));
    }

    @Test
    void while_the_relay_waits_for_its_database_it_is_alive_and_not_ready() {
        assertThat(health.schema().up()).isFalse();
        assertThat(health.store()).isEqualTo(HealthCheckResult.of(false).with("last-answer-ms", "never"));
        assertThat(health.relay().up()).isFalse();
        assertThat(health.relay().data()).containsEntry("relay", "waiting");
        assertThat(health.alive().up()).isTrue();
    }

    @Test
    void a_working_node_is_up_and_identifies_itself() {
        start();

        assertThat(health.schema())
                .isEqualTo(HealthCheckResult.of(true).with("mode", "create").with("database", "H2 2.4.240"));
        assertThat(health.store()).isEqualTo(HealthCheckResult.of(true).with("last-answer-ms", 200));
        assertThat(health.relay().up()).isTrue();
        assertThat(health.relay().data())
                .containsEntry("node", "me")
                .containsEntry("shards", "64")
                .containsEntry("running", "3")
                .containsEntry("last-loop-ms", "200")
                .containsEntry("last-beat-ms", "200")
                .containsOnlyKeys("node", "label", "shards", "running", "last-loop-ms", "last-beat-ms", "paused");
        assertThat(health.alive().up()).isTrue();
    }

    @Test
    void a_pause_is_shown_and_makes_no_node_unhealthy() {
        start();
        Pause pause = new Pause(PauseTarget.handler("mail"), Instant.EPOCH, "alice", "mail server down");
        status = new RelayStatus("me", 64, 3, Duration.ZERO, NOW, NOW, Optional.of(NOW), List.of(pause));

        assertThat(health.relay().data()).containsEntry("paused", "handler mail");
        assertThat(health.relay().up()).isTrue();
        assertThat(health.alive().up()).isTrue();
    }

    @Test
    void a_node_that_has_not_joined_is_not_ready() {
        start();
        status = node(null, 0, NOW, NOW, null);

        assertThat(health.relay().up()).isFalse();
        assertThat(health.store().up()).isFalse();
        assertThat(health.store().data()).containsEntry("last-answer-ms", "never");
        assertThat(health.alive().up()).isTrue();
    }

    @Test
    void an_unreachable_database_takes_the_node_out_of_rotation_and_restarts_nothing() {
        start();
        status = node("me", 64, NOW, NOW, Duration.ofSeconds(11));
        assertThat(health.store().up()).isFalse();
        assertThat(health.relay().up()).as("it is initialised").isTrue();

        // both threads hang in a database that does not even refuse, and so does every probe
        status = node("me", 64, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
        now += LONG.toNanos();
        assertThat(health.alive().up()).isTrue();
    }

    @Test
    void a_loop_that_stands_still_while_the_node_beats_is_not_alive() {
        start();
        status = node("me", 64, LONG, NOW, NOW);
        assertThat(health.alive().up()).isFalse();

        status = node("me", 0, LONG, NOW, NOW);
        assertThat(health.alive().up()).as("without shards there is no work").isTrue();
        status = node("me", 64, Duration.ofSeconds(59), NOW, NOW);
        assertThat(health.alive().up()).as("not long enough").isTrue();
    }

    @Test
    void a_node_that_does_not_beat_although_the_database_answers_is_not_alive() {
        start();
        status = node("me", 64, NOW, LONG, LONG);
        assertThat(health.wantsCheck()).isTrue();
        now += LONG.toNanos();
        assertThat(health.alive().up())
                .as("no check of the database for a minute")
                .isTrue();

        health.storeAnswered();
        assertThat(health.alive().up()).isFalse();
    }

    @Test
    void no_extra_check_of_the_database_while_a_node_beats() {
        assertThat(health.wantsCheck()).as("without a node").isTrue();
        start();
        assertThat(health.wantsCheck()).isFalse();
    }

    @Test
    void a_node_whose_workers_are_all_stuck_is_not_alive_after_a_minute() {
        start();
        status = new RelayStatus("me", 64, 16, Duration.ofSeconds(59), NOW, NOW, Optional.of(NOW), List.of());
        assertThat(health.alive().up()).as("not long enough").isTrue();

        status = new RelayStatus("me", 64, 16, LONG, NOW, NOW, Optional.of(NOW), List.of());
        assertThat(health.alive().up()).isFalse();
    }

    @Test
    void workers_that_are_stuck_because_the_database_does_not_answer_are_no_reason_to_restart() {
        start();
        status = new RelayStatus("me", 64, 16, LONG, NOW, NOW, Optional.of(LONG), List.of());
        assertThat(health.alive().up()).isTrue();
    }

    @Test
    void a_longer_lease_gives_more_time() {
        OutboxConfig patient =
                OutboxConfig.DEFAULTS.withRelay(OutboxConfig.Relay.DEFAULTS.withLease(Duration.ofMinutes(1)));
        RelayHealth slow = new RelayHealth(patient, () -> now);
        slow.started(Optional.of(() -> node("me", 64, Duration.ofSeconds(179), NOW, NOW)));
        assertThat(slow.alive().up()).isTrue();
        slow.started(Optional.of(() -> node("me", 64, Duration.ofSeconds(181), NOW, NOW)));
        assertThat(slow.alive().up()).isFalse();
    }

    @Test
    void a_node_without_a_relay_is_as_healthy_as_its_database() {
        startWithoutRelay(health);
        assertThat(health.relay().up()).isTrue();
        assertThat(health.store()).isEqualTo(HealthCheckResult.of(true).with("last-answer-ms", 0));

        health.storeAsked();
        now += Duration.ofHours(1).toNanos();
        assertThat(health.store()).isEqualTo(HealthCheckResult.of(false).with("last-answer-ms", 3_600_000));
        assertThat(health.alive().up()).isTrue();

        health.storeAnswered();
        assertThat(health.store().up()).isTrue();
    }

    @Test
    void one_check_that_fails_does_not_take_a_node_without_a_relay_out_of_rotation() {
        startWithoutRelay(health);
        health.storeAsked();

        now += RelayHealth.CHECK_INTERVAL.toNanos();
        health.storeAsked();
        now += Duration.ofMillis(500).toNanos();
        assertThat(health.store().up()).as("the second is under way").isTrue();

        now += RelayHealth.CHECK_INTERVAL.toNanos();
        assertThat(health.store().up()).isFalse();
    }

    @Test
    void nor_do_several_within_a_lease() {
        Duration lease = Duration.ofMinutes(1);
        RelayHealth patient = new RelayHealth(
                OutboxConfig.DEFAULTS.withRelay(OutboxConfig.Relay.DEFAULTS.withLease(lease)), () -> now);
        startWithoutRelay(patient);
        patient.storeAsked();

        now += lease.toNanos() - 1;
        assertThat(patient.store().up()).isTrue();
        now++;
        assertThat(patient.store().up()).isFalse();
    }

    /** The timer is silent after the wall clock was set back; what the database would say is not known. */
    @Test
    void a_node_without_a_relay_that_is_not_checked_stays_as_it_was() {
        startWithoutRelay(health);

        now += Duration.ofHours(1).toNanos();
        assertThat(health.store()).isEqualTo(HealthCheckResult.of(true).with("last-answer-ms", 3_600_000));

        health.storeAsked();
        assertThat(health.store().up()).as("the first check is under way").isTrue();
    }

    private static void startWithoutRelay(RelayHealth health) {
        health.schemaVerified("H2 2.4.240");
        health.started(Optional.empty());
    }

    @Test
    void a_relay_that_has_stopped_is_not_ready() {
        start();
        health.stopped();
        assertThat(health.relay().up()).isFalse();
        assertThat(health.alive().up()).isTrue();
    }
}
