package io.outboxed.internal.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.ObservedStore;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How long the loop rests: a loop that can do nothing must not spin. */
class RelayWaitTest {
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");

    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final Mailbox mailbox = new Mailbox();
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    private final RelayLoop relay =
            new RelayLoop(parts(store.ports(), OutboxConfig.DEFAULTS), mailbox, new CallQueue(8), leaseClock);

    @Test
    void with_a_lapsed_lease_it_waits_although_there_are_shards_to_read() {
        Lease lease = leaseOf(0);
        leaseClock.beat(leaseClock.stamp(lease.owner()));
        mailbox.post(() -> relay.gained(lease, false));
        relay.iterate();
        now += Duration.ofSeconds(20).toNanos();
        relay.reset();

        assertThat(relay.iterate()).isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }

    @Test
    void idle_it_waits_longer_and_longer_up_to_the_longest_poll() {
        Lease lease = leaseOf(0);
        mailbox.post(() -> relay.gained(lease, false));
        long wait = 0;
        for (int turn = 0; turn < 20; turn++) {
            leaseClock.beat(leaseClock.stamp(lease.owner()));
            wait = relay.iterate();
            now += wait;
        }
        assertThat(wait).isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void idle_it_polls_as_rarely_as_is_configured() {
        OutboxConfig.Relay usual = OutboxConfig.Relay.DEFAULTS;
        OutboxConfig.Relay rarely = new OutboxConfig.Relay(
                usual.enabled(),
                usual.workers(),
                usual.ackBatch(),
                usual.maxInMemory(),
                new OutboxConfig.Poll(Duration.ofMillis(20), Duration.ofSeconds(3)),
                usual.commitLag(),
                usual.lease(),
                usual.drain(),
                usual.nodeLabel(),
                usual.shards(),
                usual.claim());
        List<Long> polls = new ArrayList<>();
        RelayStore counted = ObservedStore.of(store.ports(), new ObservedStore.Observer() {
            @Override
            public void before(String call) {
                if (call.equals("sweep")) {
                    polls.add(now);
                }
            }
        });
        RelayLoop patient = new RelayLoop(
                parts(counted, OutboxConfig.DEFAULTS.withRelay(rarely)), mailbox, new CallQueue(8), leaseClock);
        Lease lease = leaseOf(0);
        mailbox.post(() -> patient.gained(lease, false));
        while (polls.size() < 20) {
            leaseClock.beat(leaseClock.stamp(lease.owner()));
            now += patient.iterate();
        }

        assertThat(polls.get(19) - polls.get(18))
                .isEqualTo(Duration.ofSeconds(3).toNanos());
        assertThat(polls.get(1) - polls.get(0))
                .isLessThan(Duration.ofMillis(100).toNanos());
    }

    @Test
    void with_enough_messages_in_memory_it_waits_for_reports_and_does_not_spin() {
        Lease lease = leaseOf(0);
        leaseClock.beat(leaseClock.stamp(lease.owner()));
        store.handlers().register(Set.of(new HandlerRegistration(SHIP.type(), SHIP.handler(), "ship")));
        for (long i = 1; i <= 3L * ShardCursor.ROOM; i++) {
            store.insert(
                    new UUID(7, i),
                    "placed",
                    i * 64,
                    store.handlers().snapshot().version(),
                    0,
                    "fine");
        }
        mailbox.post(() -> relay.gained(lease, false));
        relay.iterate();
        relay.iterate();
        now += Duration.ofMillis(100).toNanos();

        assertThat(relay.iterate()).isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
    }

    @Test
    void a_lane_that_has_rested_waits_for_room_and_not_for_a_time() {
        Lanes lanes = new Lanes(1_000, lane -> {});
        lanes.rest(lanes.open(7, 7).key, 500);

        assertThat(lanes.untilRested(400, 450)).isEqualTo(50);
        assertThat(lanes.untilRested(400, 600)).as("it could be taken now").isZero();
        assertThat(lanes.untilRested(500, 600)).as("there was no room for it").isEqualTo(Long.MAX_VALUE);
    }

    private Lease leaseOf(int shard) {
        store.nodes().join("me", "me", 1);
        return new Lease(
                shard,
                "me",
                store.shards().take(store.shards().all().get(shard), "me").orElseThrow());
    }

    private RelayDependencies parts(RelayStore reached, OutboxConfig config) {
        return new RelayDependencies(
                reached,
                new SimulatedHandlers(Map.of(SHIP, HandlerMode.TRANSACTIONAL), 0, handler -> false),
                config,
                () -> now,
                () -> now / 1_000_000,
                () -> 0.5,
                new Notifications() {});
    }
}
