package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Nodes that claim lanes. A message that this node has counted as started, and has not run, stays with it: another node
 * would take the count for a death.
 */
@ExtendWith(SilentLog.class)
class CountedSuspectsTest {
    private static final String ONE = ClaimStrategy.ROW_LOCK.nodePrefix() + "one";
    private static final String FORMER = ClaimStrategy.ROW_LOCK.nodePrefix() + "former";
    private static final String OTHER = ClaimStrategy.ROW_LOCK.nodePrefix() + "other";
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");
    private static final long LANE = 64;
    private static final long NEIGHBOUR = 128;
    private static final long FURTHER = 192;
    private static final Duration DELAY = Duration.ofSeconds(1);

    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls = new CallQueue(4);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    private final LaneLocks other = claims(store.portsWithClaimRows(), OTHER);
    private final RelayStore ports = store.portsWithClaimRows();
    private final LaneLocks mine = claims(ports, ONE);
    private final RelayLoop relay = new RelayLoop(parts(), mailbox, calls, leaseClock);
    private final MessageHead head = event(LANE, DELAY);

    private LaneLocks claims(RelayStore of, String owner) {
        store.nodes().join(owner, owner, 1);
        LaneLocks claims = of.locks().orElseThrow();
        claims.open(owner);
        return claims;
    }

    private RelayDependencies parts() {
        Map<HandlerKey, HandlerMode> handlers = Map.of(SHIP, HandlerMode.TRANSACTIONAL);
        store.handlers().register(SimulatedHandlers.registrations(handlers));
        return new RelayDependencies(
                ports,
                new SimulatedHandlers(handlers, 0, handler -> false),
                OutboxConfig.DEFAULTS,
                () -> now,
                () -> now / 1_000_000,
                () -> 0.5,
                new Notifications() {});
    }

    private MessageHead event(long lane, Duration delay) {
        long version = store.handlers().snapshot().version();
        return store.insert(UUID.randomUUID(), SHIP.type(), lane, version, delay.toNanos() / 1_000, "fine");
    }

    @Test
    void a_parked_one_whose_call_did_not_begin_stays_until_it_has_run() {
        Call call = callThatDoesNotBegin();
        assertThat(other.tryLock(List.of(LANE))).isEmpty();

        run(Duration.ofMillis(200));
        Call again = calls.poll();
        assertThat(again.delivery().head().id())
                .isEqualTo(call.delivery().head().id());
        MemoryTransaction transaction = store.begin();
        transaction.claim(again.delivery().head());
        transaction.acknowledge(
                again.delivery().head(), again.handler(), again.delivery().ackMode());
        transaction.commit();
        relay.ended(again, new Outcome.Done(true));
        run(Duration.ofMillis(200));
        assertThat(store.messages()).isZero();
        assertThat(other.tryLock(List.of(LANE))).containsExactly(LANE);
    }

    @Test
    void its_aggregate_is_given_back_once_an_operator_has_removed_it() {
        neighbourHangs();
        callThatDoesNotBegin();

        store.rollback(head);
        run(Duration.ofMillis(200));

        assertThat(other.tryLock(List.of(LANE))).containsExactly(LANE);
    }

    @Test
    void the_aggregate_of_one_that_another_node_completes_before_it_is_counted_is_given_back() {
        neighbourHangs();
        MessageHead ready = event(FURTHER, Duration.ZERO);
        MemoryTransaction resumed = store.begin();
        resumed.claim(ready);
        store.nodeDies(FORMER);
        mailbox.signal(List.of(0));
        run(Duration.ofMillis(20));
        assertThat(calls.poll()).as("its row is locked").isNull();
        assertThat(other.tryLock(List.of(FURTHER))).isEmpty();

        resumed.acknowledge(ready, SHIP.handler(), AckMode.DELETE_MESSAGE);
        resumed.commit();
        run(Duration.ofSeconds(2));

        assertThat(other.tryLock(List.of(FURTHER))).containsExactly(FURTHER);
    }

    @Test
    void its_start_does_not_count_once_its_node_has_stopped() {
        callThatDoesNotBegin();

        relay.stop();
        for (int i = 0; i < 20 && !relay.isIdle(); i++) {
            iterate();
        }

        assertThat(relay.isIdle()).isTrue();
        assertThat(relay.busyShards()).isZero();
        assertThat(store.starts(head)).isZero();
    }

    @Test
    void its_node_does_not_leave_in_order_before_the_start_is_taken_back() {
        callThatDoesNotBegin();
        MemoryTransaction frozen = store.begin();
        frozen.claim(ports.reads().lane(LANE, 1).get(0));

        relay.stop();
        iterate();
        assertThat(relay.isIdle()).isFalse();
        assertThat(relay.busyShards()).isEqualTo(1);

        frozen.rollback();
        run(Duration.ofSeconds(1));
        assertThat(relay.isIdle()).isTrue();
        assertThat(store.starts(head)).isZero();
    }

    /** So the shard is never empty. */
    private void neighbourHangs() {
        event(NEIGHBOUR, Duration.ZERO);
        gain();
        run(Duration.ofMillis(100));
        assertThat(calls.poll()).isNotNull();
    }

    private void gain() {
        if (relay.leases().isEmpty()) {
            long epoch = ports.shards().take(ports.shards().all().get(0), ONE).orElseThrow();
            relay.gained(new Lease(0, ONE, epoch), false);
        }
    }

    /** Its queue is taken back, for example because the handler is saturated. */
    private Call callThatDoesNotBegin() {
        gain();
        run(DELAY.dividedBy(2));
        store.nodeDies(FORMER);
        run(DELAY);
        Call call = calls.poll();
        assertThat(store.starts(head)).as("counted").isEqualTo(1);
        assertThat(call.delivery().head().status()).isEqualTo(MessageState.PARKED);
        relay.ended(call, new Outcome.NotBegun());
        iterate();
        return call;
    }

    private void run(Duration time) {
        long until = now + time.toNanos();
        while (now < until) {
            now += Math.max(1_000_000, iterate());
        }
    }

    private long iterate() {
        leaseClock.beat(leaseClock.stamp(ONE));
        return relay.iterate();
    }
}
