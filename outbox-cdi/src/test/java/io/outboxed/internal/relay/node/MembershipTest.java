package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.BetweenStatements;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MembershipTest extends MembershipFixture {

    @Test
    void a_lone_node_takes_all_shards_and_a_second_one_gets_its_half_without_a_crash() {
        Node first = new Node(1);
        first.tick();
        assertThat(shardsOf(first)).isEqualTo(64);

        Node second = new Node(1);
        for (int i = 0; i < 5; i++) {
            second.tick();
            first.tick();
        }
        assertThat(shardsOf(first)).isEqualTo(32);
        assertThat(shardsOf(second)).isEqualTo(32);
    }

    @Test
    void a_node_without_a_beat_for_one_lease_is_taken_over_by_the_others() {
        Node first = new Node(1);
        first.tick();
        Node second = new Node(1);
        second.tick();
        watch(second, 10);
        assertThat(shardsOf(first)).as("within its lease").isEqualTo(64);

        watch(second, 1);
        second.tick();
        assertThat(shardsOf(second)).isEqualTo(64);
    }

    @Test
    void a_clean_stop_frees_the_shards_at_once_and_the_node_never_comes_back() throws InterruptedException {
        Node first = new Node(1);
        first.tick();
        first.leave();
        first.tick();

        assertThat(store.nodes().live()).isEmpty();
        assertThat(store.shards().all()).extracting(Lease::owner).allMatch(Objects::isNull);
    }

    @Test
    void a_node_that_was_declared_dead_joins_again_under_a_new_name() {
        Node first = new Node(1);
        first.tick();
        String before = first.membership.owner();
        NodeHeartbeat seen = store.nodes().live().get(0);
        assertThat(store.nodes().declareDead(seen)).isTrue();

        first.tick();
        assertThat(first.membership.owner()).isNotEqualTo(before);
        assertThat(shardsOf(first)).isEqualTo(64);
    }

    @Test
    void a_lease_that_has_expired_or_was_revoked_is_counted_once_whatever_the_loop_was_doing_then() {
        Node node = new Node(1);
        node.tick();
        pass(5);
        node.tick();
        assertThat(node.figures.count("outbox.lease.expired{}")).isZero();

        pass(20);
        node.membership.tick();
        node.tick();
        assertThat(node.figures.count("outbox.lease.expired{}")).isOne();

        store.nodes().declareDead(store.nodes().live().get(0));
        node.membership.tick();
        node.tick();
        assertThat(node.figures.count("outbox.lease.expired{}")).isEqualTo(2);
    }

    @Test
    void a_node_that_has_crashed_joins_under_a_new_name_and_waits_for_its_old_lease() {
        Node crashed = new Node(1);
        crashed.tick();
        String before = crashed.membership.owner();

        crashed.membership.crashed();
        crashed.tick();
        assertThat(crashed.relay.leases()).isEmpty();
        assertThat(crashed.membership.owner()).isNotEqualTo(before);
        assertThat(shardsOf(crashed)).as("its calls may still be running there").isZero();

        watch(crashed, 11);
        crashed.tick();
        assertThat(crashed.relay.leases()).hasSize(64);
    }

    @Test
    void a_node_that_is_declared_dead_before_its_first_beat_takes_nothing_and_joins_again() {
        boolean[] isFrozen = {true};
        Node slow = new Node(1, BetweenStatements.eachTime(store.ports(), "join", () -> {
            if (isFrozen[0]) {
                store.nodes().live().forEach(store.nodes()::declareDead);
            }
        }));
        slow.tick();
        assertThat(shardsOf(slow)).isZero();

        isFrozen[0] = false;
        slow.tick();
        assertThat(shardsOf(slow)).isEqualTo(64);
        assertThat(store.nodes().live()).extracting(NodeHeartbeat::owner).containsExactly(slow.membership.owner());
    }

    @Test
    void a_join_whose_answer_is_lost_leaves_no_node_behind_for_which_shards_would_wait() {
        boolean[] down = {true};
        Node node = new Node(1, BetweenStatements.eachTime(store.ports(), "join", () -> {
            if (down[0]) {
                throw new StoreException("the answer is lost", true, new SQLException("cut", "08006"));
            }
        }));
        assertThatThrownBy(node.membership::tick).hasMessage("the answer is lost");
        assertThat(store.nodes().live())
                .as("it has joined, and does not know it")
                .hasSize(1);

        down[0] = false;
        node.tick();

        assertThat(store.nodes().live()).extracting(NodeHeartbeat::owner).containsExactly(node.membership.owner());
        assertThat(shardsOf(node)).isEqualTo(64);
    }

    @Test
    void a_join_that_is_refused_because_another_node_has_the_name_leaves_that_one_alone() {
        boolean[] taken = {true};
        Node node = new Node(1, BetweenStatements.eachTime(store.ports(), "join", () -> {
            if (taken[0]) {
                throw new StoreException("duplicate key", false, new SQLException("duplicate key", "23505"));
            }
        }));
        assertThatThrownBy(node.membership::tick).hasMessage("duplicate key");
        String other = store.nodes().live().get(0).owner();

        taken[0] = false;
        node.tick();

        assertThat(store.nodes().live())
                .extracting(NodeHeartbeat::owner)
                .containsExactlyInAnyOrder(other, node.membership.owner());
    }

    @Test
    void a_node_that_stops_after_a_join_whose_answer_is_lost_leaves() throws InterruptedException {
        Node node = new Node(1, BetweenStatements.eachTime(store.ports(), "join", () -> {
            throw new StoreException("the answer is lost", true, new SQLException("cut", "08006"));
        }));
        assertThatThrownBy(node.membership::tick).hasMessage("the answer is lost");

        node.leave();

        assertThat(store.nodes().live()).isEmpty();
    }

    @Test
    void a_node_whose_stop_did_not_wait_for_its_heartbeat_does_not_join_again() throws Exception {
        Node[] stopping = new Node[1];
        Node node = new Node(1, BetweenStatements.eachTime(store.ports(), "beat", () -> {
            if (stopping[0] != null) {
                assertThat(leftWithoutWaiting(stopping[0])).isFalse();
            }
        }));
        node.tick();
        store.nodes().declareDead(store.nodes().live().get(0));
        stopping[0] = node;

        node.membership.tick();

        assertThat(store.nodes().live()).isEmpty();
    }

    /** On a thread of its own, as a stop does. */
    private static boolean leftWithoutWaiting(Node node) {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return node.membership.leave(List.of(), true);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .join();
    }

    @Test
    void a_node_that_joins_while_another_reads_shards_and_nodes_keeps_what_it_takes() {
        Node second = new Node(1);
        Node first = new Node(1, BetweenStatements.after(store.ports(), List.of("live", "all"), second::tick));
        first.tick();
        long taken = shardsOf(second);
        assertThat(taken).isGreaterThan(0);
        second.tick();

        assertThat(second.lost).as("shards that were stolen from a living node").isZero();
    }

    @Test
    void a_node_that_beats_just_before_it_would_be_declared_dead_keeps_its_shards() {
        Node late = new Node(1);
        late.tick();
        Runnable[] whenNodesWereRead = {() -> {}};
        Node observer =
                new Node(1, BetweenStatements.eachTime(store.ports(), "live", () -> whenNodesWereRead[0].run()));
        observer.tick();
        watch(observer, 10);
        pass(1);
        whenNodesWereRead[0] = late::tick;
        observer.tick();
        late.tick();

        assertThat(shardsOf(late)).as("shards of the node that beat in time").isGreaterThanOrEqualTo(32);
        assertThat(late.lost).isZero();
    }

    @Test
    void an_outage_longer_than_a_lease_makes_no_node_dead() {
        boolean[] down = {false};
        RelayStore unreachable = BetweenStatements.eachTime(store.ports(), "beat", () -> {
            if (down[0]) {
                throw new StoreException("the database is down", true, null);
            }
        });
        Node first = new Node(1, unreachable);
        Node second = new Node(1, unreachable);
        for (int i = 0; i < 5; i++) {
            first.tick();
            second.tick();
        }
        // it has seen the last heartbeat of the other one
        first.tick();
        String name = second.membership.owner();

        down[0] = true;
        for (int i = 0; i < 12; i++) {
            pass(1);
            assertThatThrownBy(first.membership::tick).hasMessage("the database is down");
        }
        down[0] = false;
        first.tick();
        second.tick();

        assertThat(second.membership.owner()).isEqualTo(name);
        assertThat(shardsOf(second)).isEqualTo(32);
    }
}
