package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Nodes on one store, without threads. */
abstract class MembershipFixture {
    long now = Duration.ofHours(1).toNanos();
    final MemoryStore store = new MemoryStore(() -> now / 1000);

    void watch(Node observer, int seconds) {
        for (int i = 0; i < seconds; i++) {
            pass(1);
            observer.membership.tick();
        }
    }

    /** Each of its ticks leaves time for the next heartbeat, and together they take a minute and a half at most. */
    void ticksWithoutDelay(Node slow, BooleanSupplier done) {
        long before = now;
        while (!done.getAsBoolean()) {
            long startedAt = now;
            slow.membership.tick();
            assertThat(Duration.ofNanos(now - startedAt)).isLessThan(Duration.ofSeconds(2));
            pass(1);
        }
        assertThat(Duration.ofNanos(now - before)).isLessThan(Duration.ofSeconds(90));
    }

    void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    long shardsOf(Node node) {
        return numbersOf(node).size();
    }

    List<Integer> numbersOf(Node node) {
        return store.shards().all().stream()
                .filter(shard -> Objects.equals(shard.owner(), node.membership.owner()))
                .map(Lease::shard)
                .toList();
    }

    /** A node without handlers: only its membership and what its loop does about shards. */
    final class Node {
        final Mailbox mailbox = new Mailbox();
        final RelayDependencies parts;
        final RelayLoop relay;
        final Membership membership;
        final RecordingBackend figures = new RecordingBackend();
        long lost;

        Node(long registryVersion) {
            this(registryVersion, store.ports());
        }

        Node(Set<Integer> shards) {
            this(1, store.ports(), OutboxConfig.DEFAULTS.withRelay(OutboxConfig.Relay.DEFAULTS.withShards(shards)));
        }

        Node(long registryVersion, RelayStore itsStore) {
            this(registryVersion, itsStore, OutboxConfig.DEFAULTS);
        }

        Node(long registryVersion, RelayStore itsStore, OutboxConfig config) {
            parts = new RelayDependencies(
                    itsStore,
                    new SimulatedHandlers(Map.of(), 0, handler -> false),
                    config,
                    () -> now,
                    () -> now / 1_000_000,
                    Math::random,
                    new Notifications() {},
                    new OutboxMeters(figures, "shop", true),
                    List.of());
            LeaseClock leaseClock =
                    new LeaseClock(OutboxConfig.DEFAULTS.relay().lease(), () -> now, () -> now / 1_000_000);
            relay = new RelayLoop(parts, mailbox, new CallQueue(8), leaseClock);
            membership = new Membership(parts, mailbox, relay, leaseClock, registryVersion);
        }

        void tick() {
            List<Lease> before = List.copyOf(relay.leases());
            membership.tick();
            relay.iterate();
            relay.iterate();
            lost = before.stream()
                    .filter(lease -> !relay.leases().contains(lease))
                    .count();
        }

        void leave() throws InterruptedException {
            List<Lease> idle = List.copyOf(relay.idleLeases());
            assertThat(membership.leave(idle, true)).isTrue();
        }
    }
}
