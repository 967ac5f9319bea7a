package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.LaneClaim;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeBeat;
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
    private static final String ONE = LaneClaim.ROW_LOCK.nodePrefix() + "one";
    private static final String OTHER = LaneClaim.ROW_LOCK.nodePrefix() + "other";
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");
    private static final long LANE = 64;
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
    private final MessageHead head = delayed();

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
                Announcements.on(Runnable::run));
    }

    private MessageHead delayed() {
        return store.insert(
                UUID.randomUUID(),
                "placed",
                LANE,
                store.handlers().snapshot().version(),
                DELAY.toNanos() / 1_000,
                "fine");
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
                again.delivery().head(), again.handler(), again.delivery().how());
        transaction.commit();
        relay.ended(again, new Outcome.Done(true));
        run(Duration.ofMillis(200));
        assertThat(store.messages()).isZero();
        assertThat(other.tryLock(List.of(LANE))).containsExactly(LANE);
    }

    @Test
    void its_aggregate_is_given_back_once_an_operator_has_removed_it() {
        callThatDoesNotBegin();

        store.rollback(head);
        run(Duration.ofMillis(200));

        assertThat(other.tryLock(List.of(LANE))).containsExactly(LANE);
    }

    /** Its queue is taken back, for example because the handler is saturated. */
    private Call callThatDoesNotBegin() {
        long epoch = ports.shards().take(ports.shards().all().get(0), ONE).orElseThrow();
        relay.gained(new Lease(0, ONE, epoch), false);
        run(DELAY.dividedBy(2));
        anotherNodeDies();
        run(DELAY);
        Call call = calls.poll();
        assertThat(store.starts(head)).as("counted").isEqualTo(1);
        assertThat(call.delivery().head().status()).isEqualTo(MessageHead.Status.PARKED);
        relay.ended(call, new Outcome.NotBegun());
        iterate();
        return call;
    }

    private void anotherNodeDies() {
        String former = LaneClaim.ROW_LOCK.nodePrefix() + "former";
        store.nodes().join(former, former, 1);
        NodeBeat last = store.nodes().live().stream()
                .filter(node -> node.owner().equals(former))
                .findFirst()
                .orElseThrow();
        assertThat(store.nodes().declareDead(last)).isTrue();
    }

    private void run(Duration time) {
        long until = now + time.toNanos();
        while (now < until) {
            now += Math.max(1_000_000, iterate());
        }
    }

    private long iterate() {
        leaseClock.beat(leaseClock.about(ONE));
        return relay.iterate();
    }
}
