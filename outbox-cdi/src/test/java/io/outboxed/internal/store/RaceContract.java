package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.handler;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Several nodes at once, and nodes that return after they were declared dead. */
interface RaceContract extends JdbcContract {

    @Test
    default void two_nodes_that_take_the_same_shards_get_each_of_them_once() throws Exception {
        List<Lease> observed = store().shards().all();
        CyclicBarrier together = new CyclicBarrier(2);
        List<CompletableFuture<Integer>> nodes = new ArrayList<>();
        for (String owner : List.of("a", "b")) {
            RelayStore node = jdbc().stores.withoutHistory();
            nodes.add(elsewhere(() -> {
                together.await();
                int taken = 0;
                for (Lease shard : observed) {
                    taken += node.shards().take(shard, owner).isPresent() ? 1 : 0;
                }
                return taken;
            }));
        }
        int taken = result(nodes.get(0)) + result(nodes.get(1));
        List<Lease> after = store().shards().all();
        long held = after.stream()
                .filter(shard -> List.of("a", "b").contains(String.valueOf(shard.owner())))
                .count();
        assertThat(held).isEqualTo(taken);
        for (int i = 0; i < observed.size(); i++) {
            assertThat(after.get(i).epoch() - observed.get(i).epoch()).isBetween(0L, 1L);
        }
        assertThat(taken).isGreaterThan(32);
    }

    /** As when all nodes were killed on a Friday, and two of them start on Monday. */
    @Test
    default void a_node_whose_death_is_declared_late_is_remembered_for_a_day_after_that() throws Exception {
        store().nodes().join("killed", "killed", 1);
        jdbc().run("UPDATE outbox_node SET beat_at = beat_at - 3 * 86400000000 WHERE owner = 'killed'");
        store().nodes().join("first", "first", 1);
        assertThat(store().nodes().declareDead(new NodeHeartbeat("killed", "killed", 1, 0)))
                .isTrue();

        store().nodes().join("second", "second", 1);
        assertThat(jdbc().number("SELECT COUNT(*) AS n FROM outbox_node WHERE owner = 'killed' AND state = 2"))
                .as("the second one learns of its death")
                .isOne();

        jdbc().run("UPDATE outbox_node SET beat_at = beat_at - 2 * 86400000000 WHERE owner = 'killed'");
        store().nodes().join("third", "third", 1);
        assertThat(jdbc().number("SELECT COUNT(*) AS n FROM outbox_node WHERE owner = 'killed'"))
                .as("a day later")
                .isZero();
    }

    @Test
    default void nodes_that_register_at_the_same_time_lose_no_handler() throws Exception {
        long before = store().handlers().snapshot().version();
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Long>> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RelayStore node = jdbc().stores.withoutHistory();
            HandlerRegistration own = handler("order.placed", "handler-" + i);
            HandlerRegistration shared = handler("order.placed", "shared");
            nodes.add(elsewhere(() -> {
                together.await();
                return node.handlers().register(List.of(shared, own)).registry();
            }));
        }
        for (CompletableFuture<Long> node : nodes) {
            assertThat(result(node)).isGreaterThan(before);
        }
        assertThat(store().handlers().snapshot().version()).isEqualTo(before + 4);
        assertThat(store().handlers().snapshot().of("order.placed"))
                .containsOnlyKeys("handler-0", "handler-1", "handler-2", "handler-3", "shared");
    }

    @Test
    default void a_zombie_before_its_claim_finds_that_its_successor_was_faster() {
        MessageHead head = publish();
        Lease successor = takeShard(SHARD, "successor");
        assertThat(start(successor, List.of(head))).containsExactly(head.id());
        MessageHead counted = ready().get(0);
        try (JdbcDelivery zombie = jdbc().begin()) {
            assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> zombie.claim(head));
        }
        deliver(counted, "A", AckMode.DELETE_MESSAGE);
        try (JdbcDelivery zombie = jdbc().begin()) {
            assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> zombie.claim(head));
        }
    }

    @Test
    default void a_zombie_that_is_killed_in_its_handler_leaves_the_message_to_its_successor() {
        MessageHead head = publish();
        Lease successor = takeShard(SHARD, "successor");
        try (JdbcDelivery zombie = jdbc().begin()) {
            zombie.claim(head);
            assertThat(start(successor, List.of(head))).isEmpty();
            zombie.kill();
        }
        Await.until(
                "the lock of the dead session is gone",
                () -> start(successor, List.of(head)).equals(List.of(head.id())));
        deliver(ready().get(0), "A", AckMode.DELETE_MESSAGE);
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_zombie_that_commits_late_takes_the_claim_from_its_successor() throws Exception {
        MessageHead head = publish();
        takeShard(SHARD, "successor");
        try (JdbcDelivery zombie = jdbc().begin();
                JdbcDelivery successor = jdbc().begin()) {
            zombie.claim(head);
            zombie.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            zombie.acknowledge(head, "A", AckMode.DELETE_MESSAGE);
            CompletableFuture<Boolean> claiming = elsewhere(() -> {
                try {
                    successor.claim(head);
                    return true;
                } catch (ClaimLostException e) {
                    return false;
                }
            });
            awaitLockWait(claiming);
            zombie.commit();
            assertThat(result(claiming)).as("one effect, one acknowledgement").isFalse();
        }
        assertThat(jdbc().effects()).isEqualTo(1);
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void a_zombie_decides_nothing_but_its_facts_stand() {
        MessageHead failed = publish();
        MessageHead succeeded = publish();
        takeShard(SHARD, "successor");
        for (FencedWrite write : List.of(
                resolve(failed, retry("A", 0)),
                resolve(failed, dead("A")),
                new FencedWrite.Park(LANE, List.of(failed)),
                new FencedWrite.CountAttempt(failed, "A", 3))) {
            assertThatThrownBy(() -> write(write)).isInstanceOf(LeaseLostException.class);
        }
        assertThat(store().shards().handOver(lease(), "friend")).isFalse();
        store().shards().release(List.of(lease()));
        assertThat(store().shards().all().get(SHARD).owner()).isEqualTo("successor");
        store().acks().acknowledge(List.of(acknowledged(succeeded, "A", AckMode.DELETE_MESSAGE)));
        assertThat(ready()).containsExactly(failed);
    }

    @Test
    default void a_takeover_waits_for_a_decision_in_progress_or_comes_before_it() throws Exception {
        List<MessageHead> heads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            heads.add(publish());
        }
        RelayStore other = jdbc().stores.withoutHistory();
        Lease observed = store().shards().all().get(SHARD);
        CompletableFuture<OptionalLong> taking = elsewhere(() -> {
            OptionalLong epoch = OptionalLong.empty();
            while (epoch.isEmpty()) {
                epoch = other.shards().take(observed, "successor");
            }
            return epoch;
        });
        int writes = 0;
        try {
            for (MessageHead head : heads) {
                Await.until("the shard is unlocked", () -> writeUnlessLocked(resolve(head, dead("A"))));
                writes++;
            }
        } catch (LeaseLostException e) {
            assertThat(e.lease()).isEqualTo(lease());
        }
        assertThat(result(taking)).hasValue(lease().epoch() + 1);
        assertThat(ready()).hasSize(40 - writes);
        assertThat(bench().deadLetters()).hasSize(writes);
    }

    private boolean writeUnlessLocked(FencedWrite write) {
        try {
            write(write);
            return true;
        } catch (ShardLockedException e) {
            // the takeover has not committed yet
            return false;
        }
    }

    @Test
    default void acknowledgers_of_the_same_messages_do_not_fail_each_other() throws Exception {
        List<Ack> batch = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            batch.add(acknowledged(publish(), "A", AckMode.DELETE_MESSAGE));
        }
        List<CompletableFuture<Boolean>> acknowledgers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RelayStore node = jdbc().stores.withHistory();
            acknowledgers.add(elsewhere(() -> {
                Await.until("all are acknowledged", () -> tryToAcknowledge(node, batch));
                return true;
            }));
        }
        for (CompletableFuture<Boolean> acknowledger : acknowledgers) {
            assertThat(result(acknowledger)).isTrue();
        }
        assertThat(jdbc().messageRows()).isZero();
        assertThat(jdbc().history()).hasSize(100);
    }

    private static boolean tryToAcknowledge(RelayStore node, List<Ack> batch) {
        try {
            node.acks().acknowledge(batch);
            return true;
        } catch (StoreException e) {
            assertThat(e.isTransient()).as("%s", e).isTrue();
            return false;
        }
    }

    @Test
    default void broken_connections_are_replaced() {
        MessageHead head = publish();
        store().nodes().join("me", "host", 1);
        jdbc().breakConnections();
        int failures = 0;
        boolean beaten = false;
        while (!beaten && failures < 5) {
            try {
                beaten = store().nodes().beat("me");
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
