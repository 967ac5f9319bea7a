package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.LaneLocks.Peer;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that claim lanes by rows of a table. */
interface ClaimRowsContract extends JdbcContract {
    String FIRST = ClaimStrategy.ROW_LOCK.nodePrefix() + "1";
    String SECOND = ClaimStrategy.ROW_LOCK.nodePrefix() + "2";

    private RelayStore open(String owner) {
        RelayStore opened = jdbc().stores.withClaimRows();
        claims(opened).open(owner);
        opened.nodes().join(owner, owner, 1);
        return opened;
    }

    private static LaneLocks claims(RelayStore store) {
        return store.locks().orElseThrow();
    }

    private static void declareDead(RelayStore by, String owner) {
        NodeHeartbeat observed = by.nodes().live().stream()
                .filter(node -> node.owner().equals(owner))
                .findFirst()
                .orElseThrow();
        assertThat(by.nodes().declareDead(observed)).isTrue();
    }

    /** The shard of the contract's lane. */
    private static Lease shared(RelayStore node, String owner) {
        Lease observed = node.shards().all().get(StoreContract.SHARD);
        long epoch = node.shards().take(observed, owner).orElseThrow();
        return new Lease(StoreContract.SHARD, owner, epoch);
    }

    @Test
    default void a_row_keeps_a_lane_for_one_node_until_it_gives_it_back() {
        LaneLocks first = claims(open(FIRST));
        LaneLocks second = claims(open(SECOND));
        assertThat(first.tryLock(List.of(1L, -2L, Long.MIN_VALUE))).containsOnly(1L, -2L, Long.MIN_VALUE);
        assertThat(second.tryLock(List.of(1L, -2L, 3L))).containsExactly(3L);
        assertThat(first.tryLock(List.of(1L, 3L))).as("its own again").containsExactly(1L);

        second.unlock(List.of(1L));
        assertThat(second.tryLock(List.of(1L))).as("of another node").isEmpty();
        first.unlock(List.of(1L));
        assertThat(second.tryLock(List.of(1L, -2L))).containsExactly(1L);
        assertThat(first.tryLock(List.of())).isEmpty();
    }

    @Test
    default void hundreds_of_rows_are_written_and_deleted_at_once() {
        LaneLocks first = claims(open(FIRST));
        LaneLocks second = claims(open(SECOND));
        List<Long> lanes = LongStream.range(0, 500).boxed().toList();
        assertThat(first.tryLock(lanes)).hasSize(500);
        assertThat(second.tryLock(lanes)).isEmpty();
        first.unlock(lanes);
        assertThat(second.tryLock(lanes)).hasSize(500);
    }

    @Test
    default void rows_of_a_node_that_has_abandoned_them_stay_until_it_counts_as_alive_no_more() throws Exception {
        RelayStore first = open(FIRST);
        RelayStore second = open(SECOND);
        assertThat(claims(first).tryLock(List.of(1L, 2L))).hasSize(2);
        claims(first).abandon();
        assertThat(claims(first).tryLock(List.of(3L))).as("without a name").isEmpty();
        assertThat(claims(first).isOpen(FIRST)).isFalse();
        assertThat(claims(second).tryLock(List.of(1L))).isEmpty();
        assertThat(claims(second).peers()).isEmpty();

        declareDead(second, FIRST);
        assertThat(claims(second).tryLock(List.of(1L))).containsExactly(1L);
        assertThat(claims(second).peers()).containsExactly(new Peer(FIRST, true));
        assertThat(claims(second).present(List.of(FIRST))).isEmpty();
        assertThat(claims(second).leads()).isTrue();
        assertThat(jdbc().count("outbox_claim")).as("the rest is deleted").isEqualTo(1);
    }

    @Test
    default void claims_of_dead_nodes_are_deleted_beside_a_heartbeat_that_is_not_committed() throws Exception {
        RelayStore dead = open(FIRST);
        RelayStore second = open(SECOND);
        claims(dead).tryLock(List.of(1L, 2L));
        declareDead(second, FIRST);
        claims(second).tryLock(List.of(3L));
        try (Connection heartbeat = jdbc().open()) {
            heartbeat.setAutoCommit(false);
            new Jdbc(heartbeat, jdbc().dialect())
                    .update(jdbc().named("UPDATE outbox_node SET beat = beat + 1 WHERE owner = ?"), SECOND);
            assertThat(claims(second).leads()).isTrue();
            assertThat(jdbc().count("outbox_claim")).as("of the living node").isEqualTo(1);
            heartbeat.rollback();
        }
    }

    /** MySQL reads a list of keys, or the whole table: what it chooses depends on how many there are. */
    @ParameterizedTest
    @ValueSource(ints = {2, 20, 150})
    default void a_decision_of_a_frozen_node_holds_up_nothing_of_another(int count) throws Exception {
        RelayStore frozenNode = open(FIRST);
        RelayStore second = open(SECOND);
        List<Long> foreign =
                LongStream.range(0, count).map(lane -> 2 * lane).boxed().toList();
        List<Long> own =
                LongStream.range(0, count).map(lane -> 2 * lane + 1).boxed().toList();
        claims(frozenNode).tryLock(foreign);
        claims(second).tryLock(own);
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            Sql sql = new Sql(jdbc().dialect(), jdbc().prefix());
            for (long lane : foreign) {
                new Jdbc(frozen, jdbc().dialect())
                        .list(sql.claims.lockFreeClaims(1), row -> row.getLong("lane"), FIRST, lane);
            }

            claims(second).unlock(own);

            assertThat(jdbc().count("outbox_claim")).isEqualTo(count);
            assertThat(claims(second).tryLock(own)).hasSize(count);
            try (Connection deciding = jdbc().open()) {
                deciding.setAutoCommit(false);
                Object[] mine = Stream.concat(Stream.of(SECOND), own.stream()).toArray();
                assertThat(new Jdbc(deciding, jdbc().dialect())
                                .list(sql.claims.shareClaims(count), row -> row.getLong("lane"), mine))
                        .hasSize(count);
                deciding.rollback();
            }
            frozen.rollback();
        }
    }

    /** By a decision of that node, which is frozen: only the end of its session frees the row. */
    @Test
    default void a_claim_of_a_dead_node_that_is_locked_holds_up_no_other() throws Exception {
        RelayStore dead = open(FIRST);
        RelayStore second = open(SECOND);
        claims(dead).tryLock(List.of(1L, 2L, 3L));
        declareDead(second, FIRST);
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            Sql sql = new Sql(jdbc().dialect(), jdbc().prefix());
            new Jdbc(frozen, jdbc().dialect()).list(sql.claims.shareClaims(1), row -> row.getLong("lane"), FIRST, 1L);

            assertThat(claims(second).tryLock(List.of(1L, 2L))).containsExactly(2L);
            assertThat(claims(second).leads()).isTrue();

            assertThat(jdbc().count("outbox_claim"))
                    .as("that of lane 3 is deleted")
                    .isEqualTo(2);
            frozen.rollback();
        }
        assertThat(claims(second).tryLock(List.of(1L))).containsExactly(1L);
    }

    /** It is frozen before its commit. */
    @Test
    default void a_claim_of_a_dead_node_that_another_node_is_deleting_holds_up_no_other() throws Exception {
        RelayStore dead = open(FIRST);
        RelayStore second = open(SECOND);
        claims(dead).tryLock(List.of(1L));
        declareDead(second, FIRST);
        try (Connection frozen = jdbc().open()) {
            frozen.setAutoCommit(false);
            Sql sql = new Sql(jdbc().dialect(), jdbc().prefix());
            new Jdbc(frozen, jdbc().dialect()).update(sql.claims.deleteClaim, 1L, FIRST);

            assertThat(claims(second).tryLock(List.of(1L, 2L))).containsExactly(2L);
            frozen.rollback();
        }
        assertThat(claims(second).tryLock(List.of(1L))).containsExactly(1L);
    }

    @Test
    default void a_node_whose_claim_has_disappeared_loses_its_name_and_not_the_next_one() throws Exception {
        RelayStore first = open(FIRST);
        Lease lease = shared(first, FIRST);
        MessageHead head = publish();
        claims(first).tryLock(List.of(head.lane()));
        try (Connection operator = jdbc().open()) {
            new Jdbc(operator, jdbc().dialect()).update(jdbc().named("DELETE FROM outbox_claim"));
        }
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> first.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
        assertThat(claims(first).isOpen(FIRST)).as("so it joins again").isFalse();

        claims(first).open(SECOND);
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> first.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
        assertThat(claims(first).isOpen(SECOND)).isTrue();
    }

    @Test
    default void the_first_node_with_rows_leads() {
        RelayStore second = open(SECOND);
        assertThat(claims(second).leads()).isTrue();
        RelayStore first = open(FIRST);
        assertThat(claims(first).leads()).isTrue();
        assertThat(claims(second).leads()).isFalse();
        first.nodes().leave(FIRST);
        assertThat(claims(second).leads()).isTrue();
    }

    @Test
    default void a_node_decides_only_on_lanes_that_it_has() {
        RelayStore first = open(FIRST);
        RelayStore second = open(SECOND);
        Lease lease = shared(first, FIRST);
        MessageHead head = publish();
        assertThatExceptionOfType(LeaseLostException.class)
                .as("nothing is claimed")
                .isThrownBy(() -> first.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
        claims(first).open(FIRST);
        assertThat(claims(first).tryLock(List.of(head.lane()))).hasSize(1);
        declareDead(second, FIRST);
        assertThat(claims(second).tryLock(List.of(head.lane()))).hasSize(1);

        assertThatExceptionOfType(LeaseLostException.class)
                .as("another node has it")
                .isThrownBy(() -> first.writes().write(Map.of(lease, List.of(resolve(head, retry("A", 0))))));
        assertThat(ready()).as("as it was").containsExactly(head);

        Lease others = new Lease(lease.shard(), SECOND, lease.epoch());
        second.writes().write(Map.of(others, List.of(resolve(head, retry("A", 0)))));
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void shards_are_shared_by_nodes_with_rows_and_by_no_other() {
        RelayStore first = open(FIRST);
        RelayStore second = open(SECOND);
        Lease lease = shared(first, FIRST);
        assertThat(second.shards().all().get(lease.shard())).isEqualTo(new Lease(lease.shard(), SECOND, lease.epoch()));
        Lease stored = store().shards().all().get(lease.shard());
        assertThat(stored.owner()).isEqualTo("row-lock");
        assertThat(stored.isShared()).isTrue();
    }

    @Test
    default void of_many_nodes_that_claim_the_same_lanes_at_once_each_lane_has_one() throws Exception {
        int nodes = 4;
        ExecutorService threads = Executors.newFixedThreadPool(nodes);
        try {
            List<LaneLocks> all = new ArrayList<>();
            for (int i = 0; i < nodes; i++) {
                all.add(claims(open(ClaimStrategy.ROW_LOCK.nodePrefix() + i)));
            }
            for (int round = 0; round < 20; round++) {
                List<Future<Set<Long>>> claimed = new ArrayList<>();
                for (LaneLocks each : all) {
                    List<Long> lanes =
                            new ArrayList<>(LongStream.range(0, 60).boxed().toList());
                    Collections.shuffle(lanes, new Random(round * nodes + claimed.size()));
                    claimed.add(threads.submit(() -> each.tryLock(lanes.subList(0, 40))));
                }
                Set<Long> seen = new HashSet<>();
                for (int i = 0; i < nodes; i++) {
                    for (long lane : claimed.get(i).get()) {
                        assertThat(seen.add(lane))
                                .as("lane %d has one node", lane)
                                .isTrue();
                    }
                }
                assertThat(seen).isNotEmpty();
                for (int i = 0; i < nodes; i++) {
                    all.get(i).unlock(claimed.get(i).get());
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
