package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that claim lanes by rows. One of them stops, while a call of a handler runs on. */
@ExtendWith(SilentLog.class)
class StopWithClaimsTest {
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");
    private static final String FORMER = ClaimStrategy.ROW_LOCK.nodePrefix() + "former";
    private static final int ROOM_FOR_CALLS = 1_000;
    /** All of one shard. */
    private static final List<Long> LANES =
            LongStream.rangeClosed(1, 90).map(n -> 64 * n).boxed().toList();

    private static final long FURTHER = 64 * 1_000;
    private static final Duration CLEAN_STOP = Duration.ofSeconds(2);

    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final Node stopping = new Node("stopping");
    private final Node other = new Node("other");

    private final class Node {
        private final RelayStore ports = store.portsWithClaimRows();
        private final CallQueue calls = new CallQueue(ROOM_FOR_CALLS);
        private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
        private final String name;
        private final RelayLoop relay;

        private Node(String name) {
            this.name = ClaimStrategy.ROW_LOCK.nodePrefix() + name;
            Map<HandlerKey, HandlerMode> handlers = Map.of(SHIP, HandlerMode.TRANSACTIONAL);
            store.handlers().register(SimulatedHandlers.registrations(handlers));
            store.nodes().join(this.name, name, 1);
            locks().open(this.name);
            relay = new RelayLoop(
                    new RelayDependencies(
                            ports,
                            new SimulatedHandlers(handlers, 0, handler -> false),
                            OutboxConfig.DEFAULTS,
                            () -> now,
                            () -> now / 1_000_000,
                            () -> 0.5,
                            new Notifications() {}),
                    new Mailbox(),
                    calls,
                    leaseClock);
            beats();
        }

        private LaneLocks locks() {
            return ports.locks().orElseThrow();
        }

        /** For a node that does not relay. */
        private boolean canClaim(long lane) {
            boolean can = locks().tryLock(List.of(lane)).contains(lane);
            locks().unlock(List.of(lane));
            return can;
        }

        private void beats() {
            leaseClock.beat(leaseClock.stamp(name));
        }

        private void relays() {
            Lease shard = store.ports().shards().all().get(0);
            long epoch = shard.isShared()
                    ? shard.epoch()
                    : ports.shards().take(shard, name).orElseThrow();
            relay.gained(new Lease(0, name, epoch), false);
        }

        private void succeeds(Call call) {
            MessageHead head = call.delivery().head();
            MemoryTransaction transaction = store.begin();
            transaction.claim(head);
            transaction.acknowledge(head, call.handler(), call.delivery().ackMode());
            transaction.commit();
            relay.ended(call, new Outcome.Done(true));
        }
    }

    @Test
    void a_node_that_stops_while_a_handler_hangs_leaves_all_other_aggregates_to_another_node_at_once() {
        Call hung = aCallHangs();
        LANES.forEach(this::publish);
        other.relays();
        run(Duration.ofSeconds(3));
        assertThat(other.calls.load()).as("what another node has").isZero();

        stopping.relay.stop();
        List<Long> called = new ArrayList<>();
        for (long until = now + CLEAN_STOP.toNanos(); now < until; run(Duration.ofMillis(1))) {
            for (Call call = other.calls.poll(); call != null; call = other.calls.poll()) {
                called.add(call.delivery().head().lane());
                other.succeeds(call);
            }
        }

        assertThat(called).as("in which a call runs").doesNotContain(laneOf(hung));
        assertThat(called).hasSize(2 * (LANES.size() - 1));
        assertThat(stopping.relay.busyShards()).isEqualTo(1);

        stopping.succeeds(hung);
        run(CLEAN_STOP);
        assertThat(stopping.relay.isIdle()).isTrue();
        assertThat(laneOf(other.calls.poll())).isEqualTo(laneOf(hung));
    }

    @Test
    void an_aggregate_with_a_start_that_was_counted_is_given_back_once_that_is_reverted() {
        store.nodeDies(FORMER);
        Call hung = aCallHangs();
        MessageHead counted = stopping.ports.reads().lanes(LANES, 1).stream()
                .filter(head -> head.lane() != laneOf(hung) && store.starts(head) == 1)
                .findFirst()
                .orElseThrow();
        MemoryTransaction frozen = store.begin();
        frozen.claim(counted);

        stopping.relay.stop();
        run(CLEAN_STOP);
        assertThat(other.canClaim(counted.lane())).as("it counts as started").isFalse();

        frozen.rollback();
        run(CLEAN_STOP);
        assertThat(store.starts(counted)).isZero();
        assertThat(other.canClaim(counted.lane())).isTrue();
        assertThat(store.starts(hung.delivery().head())).as("it runs").isEqualTo(1);
    }

    @Test
    void what_a_transaction_of_a_dead_node_has_locked_stays_until_that_has_ended() {
        store.nodeDies(FORMER);
        MessageHead ready = publish(FURTHER);
        MemoryTransaction resumed = store.begin();
        resumed.claim(ready);
        aCallHangs();

        stopping.relay.stop();
        run(CLEAN_STOP);
        assertThat(other.canClaim(FURTHER)).isFalse();

        resumed.acknowledge(ready, SHIP.handler(), AckMode.DELETE_MESSAGE);
        resumed.commit();
        run(CLEAN_STOP);
        assertThat(other.canClaim(FURTHER)).isTrue();
    }

    @Test
    void without_a_lease_a_node_that_stops_leaves_what_it_has_to_expire() {
        Call hung = aCallHangs();
        now += Duration.ofMinutes(1).toNanos();

        stopping.relay.stop();
        IntStream.range(0, 100).forEach(i -> stopping.relay.iterate());

        assertThat(LANES).noneMatch(other::canClaim);
        stopping.beats();
        stopping.relay.iterate();
        assertThat(LANES).filteredOn(lane -> !other.canClaim(lane)).containsExactly(laneOf(hung));
    }

    /** And calls in other aggregates are queued behind it. */
    private Call aCallHangs() {
        LANES.forEach(this::publish);
        stopping.relays();
        run(Duration.ofSeconds(1));
        assertThat(stopping.calls.load()).isGreaterThan(1);
        assertThat(LANES).noneMatch(other::canClaim);
        return stopping.calls.poll();
    }

    private MessageHead publish(long lane) {
        return store.insert(
                UUID.randomUUID(),
                SHIP.type(),
                lane,
                store.handlers().snapshot().version(),
                0,
                "fine");
    }

    private static long laneOf(Call call) {
        return call.delivery().head().lane();
    }

    private void run(Duration time) {
        for (long until = now + time.toNanos(); now < until; now += 1_000_000) {
            for (Node node : List.of(stopping, other)) {
                node.beats();
                node.relay.iterate();
            }
        }
    }
}
