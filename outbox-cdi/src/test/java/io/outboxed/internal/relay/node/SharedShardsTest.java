package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.BetweenStatements;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.ShardLeases;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that claim lanes by locks, beside each other and beside nodes that do not. */
@ExtendWith(SilentLog.class)
class SharedShardsTest extends MembershipFixture {
    private MemoryLockSession session() {
        return store.lockSession(Duration.ofSeconds(10).toNanos() / 1000);
    }

    private Node withLocks() {
        return withLocks(session());
    }

    private Node withLocks(MemoryLockSession session) {
        return new Node(1, store.ports(session));
    }

    private long shared() {
        return store.shards().all().stream().filter(Lease::isShared).count();
    }

    @Test
    void all_nodes_with_locks_relay_all_shards() {
        Node one = withLocks();
        Node other = withLocks();
        one.tick();
        other.tick();
        one.tick();
        assertThat(one.relay.heldShards()).isEqualTo(64);
        assertThat(other.relay.heldShards()).isEqualTo(64);
        assertThat(shared()).isEqualTo(64);
        assertThat(one.membership.owner()).startsWith(ClaimStrategy.ADVISORY_LOCK.nodePrefix());
    }

    @Test
    void a_node_without_locks_takes_none_of_their_shards_even_after_they_have_died() {
        Node one = withLocks();
        one.tick();
        Node plain = new Node(1);
        plain.tick();
        watch(plain, 30);
        plain.tick();
        assertThat(plain.relay.heldShards()).isZero();
        assertThat(shared()).isEqualTo(64);
    }

    @Test
    void a_node_without_locks_logs_the_statement_that_gives_their_shards_back() {
        withLocks().tick();
        try (CapturedLog log = new CapturedLog()) {
            new Node(1).tick();
            assertThat(log.lines)
                    .anySatisfy(line -> assertThat(line)
                            .contains("OUTBOX-0473 64 shards belong to nodes with")
                            .endsWith("run: UPDATE outbox_shard SET owner = NULL, epoch = epoch + 1"
                                    + " WHERE owner IN ('advisory-lock')"));
        }
    }

    @Test
    void shards_that_a_node_without_locks_hands_over_and_releases_are_shared() throws Exception {
        Node plain = new Node(1);
        plain.tick();
        assertThat(plain.relay.heldShards()).isEqualTo(64);
        Node one = withLocks();
        for (int i = 0; i < 5; i++) {
            pass(1);
            one.tick();
            plain.tick();
        }
        one.tick();
        assertThat(shared()).as("half of them are handed over").isEqualTo(32);
        assertThat(one.relay.heldShards()).isEqualTo(32);

        plain.leave();
        one.tick();
        assertThat(shared()).isEqualTo(64);
        assertThat(one.relay.heldShards()).isEqualTo(64);
    }

    @Test
    void sharing_many_shards_slowly_does_not_cost_the_lease() {
        Node plain = new Node(1);
        plain.tick();
        MemoryLockSession session = session();
        ShardLeases slow = BetweenStatements.eachTime(store.ports(), "handOver", () -> now += 500_000_000L)
                .shards();
        Node one = new Node(1, store.ports(session, slow));
        one.membership.tick();
        store.shards().all().forEach(shard -> store.shards().handOver(shard, one.membership.owner()));

        ticksWithoutDelay(one, () -> shared() == 64);
    }

    @Test
    void shards_are_shared_although_reading_them_alone_lasts_longer_than_the_time_between_two_heartbeats() {
        Node plain = new Node(1);
        plain.tick();
        ShardLeases slow = BetweenStatements.eachTime(store.ports(), "all", () -> now += 2_000_000_000L)
                .shards();
        Node one = new Node(1, store.ports(session(), slow));
        one.membership.tick();
        store.shards().all().forEach(shard -> store.shards().handOver(shard, one.membership.owner()));

        one.membership.tick();

        assertThat(shared()).isPositive();
    }

    @Test
    void a_shard_whose_row_is_locked_does_not_keep_the_others_from_being_shared() {
        Node plain = new Node(1);
        plain.tick();
        AtomicBoolean first = new AtomicBoolean(true);
        RelayStore slow = Ports.through((proxy, method, arguments) -> {
            if (method.getName().equals("handOver")) {
                now += 2_000_000_000L;
                if (first.getAndSet(false)) {
                    throw new ShardLockedException((Lease) arguments[0]);
                }
            }
            return Ports.call(store.ports(), method, arguments);
        });
        Node one = new Node(1, store.ports(session(), slow.shards()));
        one.membership.tick();
        store.shards().all().forEach(shard -> store.shards().handOver(shard, one.membership.owner()));

        one.membership.tick();

        assertThat(shared()).isEqualTo(1);
    }

    @Test
    void shards_of_a_dead_node_without_locks_are_shared() {
        Node plain = new Node(1);
        plain.tick();
        Node one = withLocks();
        one.tick();
        watch(one, 15);
        one.tick();
        assertThat(shared()).isEqualTo(64);
        assertThat(one.relay.heldShards()).isEqualTo(64);
    }

    @Test
    void a_node_whose_session_has_ended_joins_again_and_its_old_name_is_declared_dead_after_a_lease() {
        MemoryLockSession session = session();
        Node one = withLocks(session);
        one.tick();
        String before = one.membership.owner();
        session.end();

        one.tick();
        assertThat(one.lost).isEqualTo(64);
        assertThat(one.membership.owner()).isNotEqualTo(before);
        assertThat(one.relay.heldShards()).isEqualTo(64);
        assertThat(session.peers()).containsExactly(new LaneLocks.Peer(before, false));
        watch(one, 12);
        assertThat(session.peers()).containsExactly(new LaneLocks.Peer(before, true));
    }

    @Test
    void after_a_clean_stop_of_one_node_the_others_go_on_and_nobody_has_died() throws Exception {
        MemoryLockSession session = session();
        Node one = withLocks(session);
        Node other = withLocks();
        one.tick();
        other.tick();
        other.leave();
        one.tick();
        assertThat(session.peers()).isEmpty();
        assertThat(one.relay.heldShards()).isEqualTo(64);
        assertThat(shared()).isEqualTo(64);
    }
}
