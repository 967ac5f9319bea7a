package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which messages of one aggregate are called one after the other, before the success of the first one is recorded. */
class ConsecutiveCallsTest {
    private static final Map<HandlerKey, HandlerMode> HANDLERS = Map.of(
            new HandlerKey("mailed", "mail"), HandlerMode.OUTSIDE,
            new HandlerKey("shipped", "ship"), HandlerMode.TRANSACTIONAL,
            new HandlerKey("placed", "ship"), HandlerMode.TRANSACTIONAL,
            new HandlerKey("placed", "mail"), HandlerMode.OUTSIDE);

    private static final Lease LEASE = new Lease(0, "me", 1);

    private long now = Duration.ofHours(1).toNanos();
    private long handlersTake;
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final RelayDependencies parts = new RelayDependencies(
            store.ports(),
            new SimulatedHandlers(HANDLERS, 0, handler -> false),
            OutboxConfig.DEFAULTS,
            () -> now,
            () -> now / 1_000_000,
            () -> 0.5,
            new Notifications() {});
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls = new CallQueue(8);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    private final RelayLoop relay = new RelayLoop(parts, mailbox, calls, leaseClock);
    private final List<Call> successes = new ArrayList<>();
    private final Worker worker = new Worker(
            parts,
            calls,
            new RunningCalls(calls::late, () -> now, Duration.ofMinutes(1)),
            leaseClock,
            new CallReporter(parts, mailbox::post, relay, successes::add));

    @Test
    void events_of_a_handler_outside_a_transaction_follow_each_other_before_anything_is_recorded() {
        publish("mailed", 5);

        assertThat(succeedAll()).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(calls.load()).isZero();
    }

    @Test
    void a_transactional_event_waits_for_the_record_of_those_before_it_and_is_followed_by_none() {
        publish("mailed", 2);
        publish("shipped", 2);

        assertThat(succeedAll()).containsExactly(1L, 2L);
        assertThat(calls.poll()).as("before the record").isNull();
        record();
        relay.iterate();
        assertThat(succeedAll()).containsExactly(3L);
    }

    @Test
    void an_event_with_several_handlers_is_followed_by_none() {
        publish("placed", 2);

        assertThat(calls.poll().next()).isNull();
        assertThat(calls.poll()).isNull();
    }

    @Test
    void what_comes_after_a_failure_is_not_called_and_is_planned_again_once_the_failure_is_stored() {
        publish("mailed", 4);
        Call first = calls.poll();
        Call failing = worker.report(first, new Outcome.Done(false), now);
        worker.report(failing, new Outcome.Failed(new IllegalStateException("no")), now);
        relay.iterate();

        assertThat(calls.poll()).as("the first success is not recorded").isNull();
        assertThat(store.waitRows()).as("so nothing is decided").isZero();

        record();
        relay.iterate();
        relay.iterate();
        assertThat(calls.poll()).isNull();

        now += Duration.ofHours(1).toNanos();
        assertThat(store.reads().waiting(failing.delivery().head().lane(), "mail", 10))
                .extracting(waiting -> waiting.head().seq())
                .as("in their order: the failed one, and those that wait behind it")
                .containsExactly(2L, 3L, 4L);
    }

    @Test
    void slow_calls_give_the_worker_back_after_some_milliseconds() {
        publish("mailed", 4);
        handlersTake = Duration.ofMillis(6).toNanos();

        assertThat(succeedAll()).containsExactly(1L, 2L);
        relay.iterate();
        assertThat(calls.poll()).as("the others wait for the record").isNull();
        record();
        relay.iterate();
        assertThat(succeedAll()).containsExactly(3L, 4L);
    }

    @Test
    void a_stop_cancels_a_whole_sequence() {
        publish("mailed", 4);

        relay.stop();

        assertThat(relay.isIdle()).isTrue();
        assertThat(calls.load()).isZero();
    }

    @Test
    void when_a_shard_is_lost_its_lane_rests_until_every_call_of_the_sequence_has_ended() {
        publish("mailed", 3);
        Call first = calls.poll();
        Call second = worker.report(first, new Outcome.Done(false), now);
        relay.lost(LEASE);
        long epoch = store.shards().take(store.shards().all().get(0), "me").orElseThrow();
        relay.gained(new Lease(0, "me", epoch), false);
        relay.iterate();
        assertThat(calls.poll()).as("the second one runs").isNull();

        worker.report(second, new Outcome.Done(false), Long.MIN_VALUE / 2);
        relay.iterate();
        assertThat(calls.poll()).as("two successes are not recorded").isNull();

        record();
        relay.iterate();
        assertThat(calls.poll().delivery().head().seq()).isEqualTo(3L);
    }

    private void publish(String type, int count) {
        if (store.handlers().snapshot().version() == 0) {
            store.handlers().register(SimulatedHandlers.registrations(HANDLERS));
            store.nodes().join("me", "me", 1);
            store.shards().take(store.shards().all().get(0), "me").orElseThrow();
            leaseClock.beat(leaseClock.stamp("me"));
            relay.gained(LEASE, false);
        }
        IntStream.range(0, count)
                .forEach(i -> store.insert(
                        UUID.randomUUID(), type, 0, store.handlers().snapshot().version(), 0, "fine"));
        mailbox.signal(List.of(0));
        relay.iterate();
    }

    /** Takes the next sequence of calls and makes each succeed. */
    private List<Long> succeedAll() {
        List<Long> made = new ArrayList<>();
        long since = now;
        for (Call call = calls.poll(); call != null; ) {
            made.add(call.delivery().head().seq());
            now += handlersTake;
            call = worker.report(call, new Outcome.Done(false), since);
        }
        return made;
    }

    /** As an acknowledger does. */
    private void record() {
        store.acks()
                .acknowledge(successes.stream()
                        .map(call -> new Ack(
                                call.delivery().head(),
                                call.handler(),
                                call.delivery().ackMode()))
                        .toList());
        List<Call> batch = List.copyOf(successes);
        successes.clear();
        mailbox.post(() -> relay.acknowledged(batch, new Outcome.Done(false)));
    }
}
