package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.Cluster;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.spi.FailedAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each metric changes on its event, and only then. */
@ExtendWith(SilentLog.class)
class RelayMetricsTest {
    private static final int PATIENCE = Cluster.PATIENCE;
    private static final int ATTEMPTS = 3;
    private static final Exception NO_ANSWER = new IllegalStateException("no answer");

    private final Cluster cluster = cluster(false);

    @Test
    void each_delivery_is_one_success_of_its_handler_and_nothing_else() {
        IntStream.range(0, 40).forEach(i -> cluster.publish("placed", "order " + i, "fine"));
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);
        cluster.run(5_000);

        assertThat(ended(cluster, "ship", "success") + ended(cluster, "ship", "unknown"))
                .as("the simulation loses the answer to some commits")
                .isEqualTo(40);
        assertThat(ended(cluster, "mail", "success")).isEqualTo(40);
        assertThat(ended(cluster, "mail", "retry")).isZero();
        assertThat(ended(cluster, "mail", "dead")).isZero();
        assertThat(cluster.figures.times("outbox.poll.duration{}")).isNotEmpty();
    }

    @Test
    void a_poison_message_is_retried_and_then_one_dead_letter_beside_the_other_handlers_success() {
        UUID poison = cluster.publish("placed", "order", SimulatedHandlers.POISON + "mail");
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(cluster.store.isDead("mail", poison)).isTrue();
        assertThat(ended(cluster, "mail", "retry")).isEqualTo(ATTEMPTS - 1);
        assertThat(ended(cluster, "mail", "dead")).isEqualTo(1);
        assertThat(ended(cluster, "mail", "success")).isZero();
        assertThat(ended(cluster, "ship", "dead")).isZero();
    }

    @Test
    void what_a_service_that_is_down_delays_counts_as_deferred_and_not_as_endless_retries() {
        Cluster patient = Cluster.ofShipAndMail(false, 1_000);
        patient.mailIsDown = true;
        IntStream.range(0, 60).forEach(i -> patient.publish("placed", "order " + i, "fine"));
        patient.runUntil(() -> ended(patient, "mail", "deferred") > 5, PATIENCE);

        assertThat(ended(patient, "mail", "dead")).isZero();
        assertThat(ended(patient, "ship", "deferred")).isZero();
    }

    @Test
    void a_blocked_aggregate_is_shown_separately_and_the_oldest_age_is_that_of_the_others() {
        Cluster blocking = cluster(true);
        UUID poison = blocking.publish("placed", "order", SimulatedHandlers.POISON + "mail");
        blocking.runUntil(() -> blocking.store.isDead("mail", poison), PATIENCE);
        blocking.publish("placed", "order", "fine");
        blocking.run(500_000);

        blocking.meters.backlog(blocking.store.statistics().backlog(), Map.of());

        assertThat(ended(blocking, "mail", "dead")).isEqualTo(1);
        assertThat(blocking.figures.gauge("outbox.blocked.aggregates{}")).isEqualTo(1);
        assertThat(blocking.figures.gauge("outbox.backlog{state=blocked}")).isEqualTo(2);
        assertThat(blocking.figures.gauge("outbox.backlog{state=dead}")).isEqualTo(1);
        assertThat(blocking.figures.gauge("outbox.backlog.oldest.age{}"))
                .as("after more than ten minutes of the simulated clock")
                .isZero();
    }

    // ---- one relay, step by step ----

    private long now = Duration.ofHours(1).toNanos();
    private final RecordingBackend figures = new RecordingBackend();
    private final OutboxMeters meters = new OutboxMeters(figures, "shop", true);
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final SimulatedHandlers handlers = new SimulatedHandlers(Cluster.SHIP_AND_MAIL, 0, handler -> false);
    private final List<FailedAttempt> reported = new ArrayList<>();
    private final RelayDependencies parts = new RelayDependencies(
            store.ports(),
            handlers,
            OutboxConfig.DEFAULTS,
            () -> now,
            // this node's wall clock is years behind, and must not matter
            () -> now / 1_000_000,
            () -> 0.5,
            new Notifications() {
                @Override
                public void attemptFailed(Supplier<FailedAttempt> attempt) {
                    reported.add(attempt.get());
                }
            },
            meters,
            List.of());
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls = new CallQueue(8);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    private final RelayLoop relay = new RelayLoop(parts, mailbox, calls, leaseClock);

    @Test
    void a_lapsed_lease_pauses_the_relay() {
        Lease lease = hold(0);
        relay.iterate();
        assertThat(meters.readings().stalled()).isFalse();
        assertThat(meters.readings().shardsHeld()).isEqualTo(1);

        now += Duration.ofSeconds(20).toNanos();
        relay.iterate();
        assertThat(meters.readings().stalled()).isTrue();

        leaseClock.beat(leaseClock.stamp(lease.owner()));
        relay.iterate();
        assertThat(meters.readings().stalled()).isFalse();
    }

    @Test
    void a_shard_that_another_node_has_taken_counts_as_lost() {
        Lease lease = hold(0);
        relay.iterate();
        mailbox.post(() -> relay.lost(lease));
        mailbox.post(() -> relay.lost(lease));
        relay.iterate();

        assertThat(figures.count("outbox.shards.lost{}")).isEqualTo(1);
        assertThat(meters.readings().shardsHeld()).isZero();
    }

    @Test
    void a_failure_after_the_shard_was_lost_counts_as_deferred_and_is_logged_and_reported() {
        Lease lease = hold(0);
        store.handlers().register(SimulatedHandlers.registrations(Cluster.SHIP_AND_MAIL));
        UUID event = new UUID(1, 1);
        store.insert(event, "placed", 0, 1, 0, "fine");
        relay.iterate();
        Call call = calls.poll();
        mailbox.post(() -> relay.lost(lease));
        try (CapturedLog log = new CapturedLog()) {
            fail(call);

            assertThat(log.lines).hasSize(2).last().asString().contains("OUTBOX-0411", "attempt 1 is due in 0 ms");
        }
        assertThat(figures.count(
                        "outbox.deliveries{event.type=placed,handler=" + call.handler() + ",outcome=deferred}"))
                .isEqualTo(1);
        assertThat(reported).singleElement().satisfies(attempt -> {
            assertThat(attempt.messageId()).isEqualTo(event);
            assertThat(attempt.attempt()).isEqualTo(1);
            assertThat(attempt.counted()).isFalse();
            assertThat(attempt.nextAttemptIn()).isZero();
        });
    }

    @Test
    void an_outcome_that_is_unknown_too_often_counts_once_as_the_failure_that_it_is_decided_to_be() {
        Lease lease = hold(0);
        store.handlers().register(SimulatedHandlers.registrations(Cluster.SHIP_AND_MAIL));
        store.insert(new UUID(1, 1), "placed", 0, 1, 0, "fine");
        String handler = null;
        for (int ended = 0; ended < 3; ) {
            relay.iterate();
            Call call = calls.poll();
            if (call == null) {
                now += Duration.ofSeconds(1).toNanos();
                leaseClock.beat(leaseClock.stamp(lease.owner()));
            } else if (handler == null || call.handler().equals(handler)) {
                handler = call.handler();
                mailbox.post(() -> relay.ended(call, new Outcome.Unknown(NO_ANSWER)));
                ended++;
            } else {
                fail(call);
            }
        }
        relay.iterate();

        String series = "outbox.deliveries{event.type=placed,handler=" + handler + ",outcome=";
        assertThat(figures.count(series + "unknown}")).isEqualTo(2);
        assertThat(figures.count(series + "retry}")).isEqualTo(1);
    }

    @Test
    void a_decision_after_the_shard_was_taken_is_a_fenced_write_and_a_lost_lease() {
        Lease lease = hold(0);
        store.handlers().register(SimulatedHandlers.registrations(Cluster.SHIP_AND_MAIL));
        store.insert(new UUID(1, 1), "placed", 0, 1, 0, SimulatedHandlers.PERMANENT);
        relay.iterate();
        Call call = calls.poll();
        store.shards().take(store.shards().all().get(0), "another");
        fail(call);
        fail(calls.poll());

        assertThat(figures.count("outbox.stale.writes{}")).isEqualTo(1);
        assertThat(figures.count("outbox.shards.lost{}")).isEqualTo(1);
        assertThat(relay.leases()).doesNotContain(lease);
    }

    @Test
    void a_row_that_another_try_has_changed_is_a_fenced_write() {
        hold(0);
        store.handlers().register(SimulatedHandlers.registrations(Cluster.SHIP_AND_MAIL));
        store.insert(new UUID(1, 1), "placed", 0, 1, 0, "fine");
        relay.iterate();
        Call call = calls.poll();
        mailbox.post(() -> relay.ended(call, new Outcome.Lost(NO_ANSWER)));
        relay.iterate();

        assertThat(figures.count("outbox.stale.writes{}")).isEqualTo(1);
        assertThat(figures.count("outbox.deliveries{event.type=placed,handler=ship,outcome=success}"))
                .isZero();
    }

    @Test
    void the_lag_is_from_the_databases_commit_time_to_the_success_without_a_requested_delay() {
        relay.databaseClock().ask();
        Instant stored = Instant.EPOCH.plusNanos(now);
        now += Duration.ofSeconds(70).toNanos();

        relay.ended(callOf(stored, Duration.ZERO), new Outcome.Done(true));
        relay.ended(callOf(stored, Duration.ofMinutes(1)), new Outcome.Done(true));

        assertThat(figures.times("outbox.delivery.lag{event.type=placed,handler=ship}"))
                .containsExactly(
                        Duration.ofSeconds(70).toNanos(), Duration.ofSeconds(10).toNanos());
    }

    @Test
    void a_commit_without_an_answer_is_neither_success_nor_failure() {
        // of a shard that this node does not hold
        relay.ended(callOf(Instant.EPOCH, Duration.ZERO), new Outcome.Unknown(NO_ANSWER));

        assertThat(figures.count("outbox.deliveries{event.type=placed,handler=ship,outcome=unknown}"))
                .isEqualTo(1);
        assertThat(figures.times("outbox.delivery.lag{event.type=placed,handler=ship}"))
                .isEmpty();
    }

    private Lease hold(int shard) {
        store.nodes().join("me", "me", 1);
        Lease lease = new Lease(
                shard,
                "me",
                store.shards().take(store.shards().all().get(shard), "me").orElseThrow());
        leaseClock.beat(leaseClock.stamp(lease.owner()));
        mailbox.post(() -> relay.gained(lease, false));
        return lease;
    }

    private void fail(Call call) {
        Exception failure = new PermanentFailureException("never");
        mailbox.post(() -> relay.ended(call, new Outcome.Failed(failure)));
        relay.iterate();
    }

    private Call callOf(Instant created, Duration delay) {
        MessageHead head = store.insert(UUID.randomUUID(), "placed", 0, 1, 0, "fine");
        Turn turn = new Turn(new Lane(0, 0, 0), new Lease(0, "me", 1), head, null);
        turn.body = new MessageBody(head.seq(), head.id(), "", "", created, delay, null, "fine", null);
        return new Call(turn, new Delivery(head, turn.body, "ship", 1, AckMode.DELETE_MESSAGE), turn.lease, null);
    }

    private static long ended(Cluster cluster, String handler, String outcome) {
        return cluster.figures.count(
                "outbox.deliveries{event.type=placed,handler=" + handler + ",outcome=" + outcome + "}");
    }

    private static Cluster cluster(boolean block) {
        return Cluster.ofShipAndMail(block, ATTEMPTS);
    }
}
