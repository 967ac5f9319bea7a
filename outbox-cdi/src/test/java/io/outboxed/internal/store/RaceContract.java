package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.handler;
import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Several nodes at once, and nodes that come back from the dead. */
interface RaceContract extends JdbcContract {

    @Test
    default void two_nodes_that_take_the_same_shards_get_each_of_them_once() throws Exception {
        List<ShardOwner> observed = store().shards();
        CyclicBarrier together = new CyclicBarrier(2);
        List<CompletableFuture<Integer>> nodes = new ArrayList<>();
        for (String owner : List.of("a", "b")) {
            RelayStore node = jdbc().newStore(false);
            nodes.add(elsewhere(() -> {
                together.await();
                int taken = 0;
                for (ShardOwner shard : observed) {
                    taken += node.take(shard, owner).isPresent() ? 1 : 0;
                }
                return taken;
            }));
        }
        int taken = result(nodes.get(0)) + result(nodes.get(1));
        List<ShardOwner> after = store().shards();
        long held = after.stream()
                .filter(shard -> List.of("a", "b").contains(String.valueOf(shard.owner())))
                .count();
        assertThat(held).isEqualTo(taken);
        for (int i = 0; i < observed.size(); i++) {
            assertThat(after.get(i).epoch() - observed.get(i).epoch()).isBetween(0L, 1L);
        }
        assertThat(taken).isGreaterThan(32);
    }

    @Test
    default void nodes_that_register_at_the_same_time_lose_no_handler() throws Exception {
        long before = store().registry().version();
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Long>> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RelayStore node = jdbc().newStore(false);
            HandlerRegistration own = handler("order.placed", "handler-" + i);
            HandlerRegistration shared = handler("order.placed", "shared");
            nodes.add(elsewhere(() -> {
                together.await();
                return node.register(List.of(shared, own));
            }));
        }
        for (CompletableFuture<Long> node : nodes) {
            assertThat(result(node)).isGreaterThan(before);
        }
        assertThat(store().registry().version()).isEqualTo(before + 4);
        assertThat(store().registry().of("order.placed"))
                .containsOnlyKeys("handler-0", "handler-1", "handler-2", "handler-3", "shared");
    }

    @Test
    default void a_zombie_before_its_mark_finds_that_its_successor_was_faster() {
        Head head = publish();
        Lease successor = takeShard(SHARD, "successor");
        assertThat(start(successor, List.of(head))).containsExactly(head.id());
        Head counted = ready().get(0);
        try (JdbcDelivery zombie = jdbc().begin()) {
            assertThatExceptionOfType(LostMarkException.class).isThrownBy(() -> zombie.mark(head));
        }
        deliver(counted, "A", Settlement.LAST);
        try (JdbcDelivery zombie = jdbc().begin()) {
            assertThatExceptionOfType(LostMarkException.class).isThrownBy(() -> zombie.mark(head));
        }
    }

    @Test
    default void a_zombie_that_is_killed_in_its_handler_leaves_the_message_to_its_successor() {
        Head head = publish();
        Lease successor = takeShard(SHARD, "successor");
        try (JdbcDelivery zombie = jdbc().begin()) {
            zombie.mark(head);
            assertThat(start(successor, List.of(head))).isEmpty();
            zombie.kill();
        }
        List<java.util.UUID> counted = List.of();
        for (int i = 0; i < 1000 && counted.isEmpty(); i++) {
            counted = start(successor, List.of(head));
        }
        assertThat(counted).containsExactly(head.id());
        deliver(ready().get(0), "A", Settlement.LAST);
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_zombie_that_commits_late_takes_the_mark_from_its_successor() throws Exception {
        Head head = publish();
        takeShard(SHARD, "successor");
        try (JdbcDelivery zombie = jdbc().begin();
                JdbcDelivery successor = jdbc().begin()) {
            zombie.mark(head);
            zombie.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            zombie.settle(head, "A", Settlement.LAST);
            CompletableFuture<Boolean> marking = elsewhere(() -> {
                try {
                    successor.mark(head);
                    return true;
                } catch (LostMarkException e) {
                    return false;
                }
            });
            zombie.commit();
            assertThat(result(marking)).as("one effect, one settlement").isFalse();
        }
        assertThat(jdbc().effects()).isEqualTo(1);
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_zombie_decides_nothing_but_its_facts_stand() {
        Head failed = publish();
        Head succeeded = publish();
        takeShard(SHARD, "successor");
        for (Decision decision : List.of(
                judge(failed, retry("A", 0)),
                judge(failed, dead("A")),
                new Decision.Park(LANE, List.of(failed)),
                new Decision.Count(failed, "A", 3))) {
            assertThatThrownBy(() -> decide(decision)).isInstanceOf(LeaseLostException.class);
        }
        assertThat(store().handOver(lease(), "friend")).isFalse();
        store().release(List.of(lease()));
        assertThat(store().shards().get(SHARD).owner()).isEqualTo("successor");
        store().settle(List.of(settled(succeeded, "A", Settlement.LAST)));
        assertThat(ready()).containsExactly(failed);
    }

    @Test
    default void a_takeover_waits_for_a_decision_under_way_or_comes_before_it() throws Exception {
        List<Head> heads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            heads.add(publish());
        }
        RelayStore other = jdbc().newStore(false);
        ShardOwner observed = store().shards().get(SHARD);
        CompletableFuture<OptionalLong> taking = elsewhere(() -> {
            OptionalLong epoch = OptionalLong.empty();
            while (epoch.isEmpty()) {
                epoch = other.take(observed, "successor");
            }
            return epoch;
        });
        int decided = 0;
        try {
            for (Head head : heads) {
                decide(judge(head, dead("A")));
                decided++;
            }
        } catch (LeaseLostException e) {
            assertThat(e.lease()).isEqualTo(lease());
        }
        assertThat(result(taking)).hasValue(lease().epoch() + 1);
        assertThat(ready()).hasSize(40 - decided);
        assertThat(bench().deadLetters()).hasSize(decided);
    }

    @Test
    default void settlers_of_the_same_messages_do_not_fail_each_other() throws Exception {
        List<Settled> batch = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            batch.add(settled(publish(), "A", Settlement.LAST));
        }
        List<CompletableFuture<Boolean>> settlers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RelayStore node = jdbc().newStore(true);
            settlers.add(elsewhere(() -> settleUntilDone(node, batch)));
        }
        for (CompletableFuture<Boolean> settler : settlers) {
            assertThat(result(settler)).isTrue();
        }
        assertThat(jdbc().messageRows()).isZero();
        assertThat(jdbc().history()).hasSize(100);
    }

    private static boolean settleUntilDone(RelayStore node, List<Settled> batch) {
        while (true) {
            try {
                node.settle(batch);
                return true;
            } catch (StoreException e) {
                assertThat(e.isTransient()).as("%s", e).isTrue();
            }
        }
    }

    @Test
    default void broken_connections_are_replaced() {
        Head head = publish();
        store().join("me", "host", 1);
        jdbc().breakConnections();
        int failures = 0;
        boolean beaten = false;
        while (!beaten && failures < 5) {
            try {
                beaten = store().beat("me");
                assertThat(ready()).containsExactly(head);
            } catch (StoreException e) {
                assertThat(e.isTransient()).isTrue();
                failures++;
            }
        }
        assertThat(beaten).isTrue();
        assertThat(failures).isLessThanOrEqualTo(2);
    }
}
