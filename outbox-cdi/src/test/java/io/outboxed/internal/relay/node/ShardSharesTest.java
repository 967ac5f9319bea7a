package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.BetweenStatements;
import io.outboxed.internal.store.cluster.Lease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who gets which shards. */
class ShardSharesTest extends MembershipFixture {

    @Test
    void taking_many_shards_slowly_does_not_cost_the_lease() {
        Node dead = new Node(1);
        dead.tick();
        Node slow = new Node(1, BetweenStatements.eachTime(store.ports(), "take", () -> now += 500_000_000L));
        slow.tick();
        watch(slow, 10);

        ticksWithoutDelay(slow, () -> shardsOf(slow) == 64);
    }

    @Test
    void a_node_takes_shards_although_its_heartbeat_alone_lasts_longer_than_the_time_between_two() {
        Node slow = new Node(1, BetweenStatements.eachTime(store.ports(), "all", () -> now += 2_000_000_000L));
        for (int i = 0; i < 5; i++) {
            slow.membership.tick();
        }

        assertThat(shardsOf(slow)).isPositive();
    }

    @Test
    void a_shard_is_given_only_to_a_node_that_has_been_seen_to_beat() {
        Node first = new Node(1);
        first.tick();
        Node newcomer = new Node(1);
        newcomer.tick();
        first.tick();
        first.tick();
        assertThat(shardsOf(newcomer)).as("joined, and never seen again").isZero();

        newcomer.tick();
        first.tick();
        assertThat(shardsOf(newcomer)).as("beats").isEqualTo(32);
    }

    @Test
    void free_shards_do_not_wait_for_nodes_that_have_joined_and_stopped() throws InterruptedException {
        Node first = new Node(1);
        Node second = new Node(1);
        for (int i = 0; i < 5; i++) {
            first.tick();
            second.tick();
        }
        for (int i = 0; i < 3; i++) {
            new Node(1).membership.tick();
        }
        first.leave();
        second.tick();
        second.tick();

        assertThat(shardsOf(second)).isEqualTo(64);
    }

    @Test
    void a_shard_that_was_taken_from_a_dead_node_without_an_answer_is_not_clean() {
        Node first = new Node(1);
        first.tick();
        boolean[] isLost = {false};
        Node second = new Node(1, BetweenStatements.eachTime(store.ports(), "take", () -> {
            if (isLost[0]) {
                throw new StoreException("the answer was lost", true, null);
            }
        }));
        second.membership.tick();
        watch(second, 10);
        pass(1);
        isLost[0] = true;
        assertThatThrownBy(second.membership::tick).hasMessage("the answer was lost");

        isLost[0] = false;
        second.membership.tick();
        // past its lease it learns of its shards, and reads nothing
        pass(10);
        second.relay.iterate();

        assertThat(shardsOf(second)).isEqualTo(64);
        assertThat(second.relay.leases()).hasSize(64);
        assertThat(second.relay.idleLeases()).as("all have suspects").isEmpty();
    }

    @Test
    void a_shard_that_another_node_was_faster_to_take_from_a_dead_one_is_clean_when_it_is_handed_over() {
        Node dead = new Node(1);
        dead.tick();
        Node faster = new Node(1);
        boolean[] isRace = {false};
        Node slower = new Node(1, BetweenStatements.eachTime(store.ports(), "all", () -> {
            if (isRace[0]) {
                isRace[0] = false;
                faster.membership.tick();
                faster.membership.tick();
            }
        }));
        for (int i = 0; i < 10; i++) {
            faster.membership.tick();
            slower.membership.tick();
            pass(1);
        }
        pass(1);
        isRace[0] = true;
        slower.membership.tick();
        assertThat(shardsOf(faster)).isEqualTo(64);

        for (int i = 0; i < 3; i++) {
            slower.membership.tick();
            faster.tick();
            faster.tick();
        }
        assertThat(shardsOf(slower)).isEqualTo(32);
        slower.membership.tick();
        // past its lease it learns of its shards, and reads nothing
        pass(10);
        slower.relay.iterate();

        assertThat(slower.relay.idleLeases()).hasSize(32);
    }

    @Test
    void shards_are_never_given_to_a_node_of_an_older_deployment() {
        Node newer = new Node(2);
        newer.tick();
        Node older = new Node(1);
        for (int i = 0; i < 5; i++) {
            older.tick();
            newer.tick();
        }
        assertThat(shardsOf(newer)).isEqualTo(64);
    }

    @Test
    void nodes_with_lists_of_shards_take_these_and_no_others_whatever_their_fair_share_is() {
        Node few = new Node(Set.of(0, 1, 2));
        Node many = new Node(from(3, 63));
        for (int i = 0; i < 5; i++) {
            few.tick();
            many.tick();
        }
        assertThat(numbersOf(few)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(shardsOf(many)).isEqualTo(61);

        watch(many, 20);
        assertThat(shardsOf(many))
                .as("those of a dead node are not on its list")
                .isEqualTo(61);
    }

    @Test
    void of_two_nodes_with_the_same_list_the_second_takes_over_when_the_first_is_dead() {
        Node active = new Node(Set.of(7, 8));
        active.tick();
        Node standby = new Node(Set.of(7, 8));
        standby.tick();
        watch(standby, 10);
        assertThat(numbersOf(active)).as("within its lease").containsExactlyInAnyOrder(7, 8);

        watch(standby, 2);
        assertThat(numbersOf(standby)).containsExactlyInAnyOrder(7, 8);
    }

    @Test
    void a_node_with_a_list_releases_what_a_node_without_one_hands_over() {
        Node dynamic = new Node(1);
        dynamic.tick();
        Node listed = new Node(Set.of(7));
        Set<Integer> handedOver = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            listed.tick();
            dynamic.tick();
            handedOver.addAll(numbersOf(listed));
        }
        listed.tick();
        assertThat(handedOver).as("also others").hasSizeGreaterThan(1);
        assertThat(listed.relay.leases()).allMatch(lease -> lease.shard() == 7);
        assertThat(numbersOf(listed)).isSubsetOf(7);
    }

    @Test
    void returning_many_shards_slowly_does_not_cost_the_lease() {
        Node slow = withForeignShards("release", 500_000_000L);

        ticksWithoutDelay(slow, () -> shardsOf(slow) <= 1);
        assertThat(numbersOf(slow)).containsExactly(7);
    }

    @Test
    void shards_are_returned_although_reading_them_alone_lasts_longer_than_the_time_between_two_heartbeats() {
        Node slow = withForeignShards("all", 2_000_000_000L);

        slow.membership.tick();

        assertThat(shardsOf(slow)).isLessThan(64);
    }

    /** A node for shard 7 that has been given all of them. */
    private Node withForeignShards(String slow, long nanos) {
        OutboxConfig listed = OutboxConfig.DEFAULTS.withRelay(OutboxConfig.Relay.DEFAULTS.withShards(Set.of(7)));
        Node node = new Node(1, BetweenStatements.eachTime(store.ports(), slow, () -> now += nanos), listed);
        node.membership.tick();
        store.shards().all().stream()
                .filter(shard -> shard.owner() == null)
                .forEach(shard -> store.shards().take(shard, node.membership.owner()));
        assertThat(shardsOf(node)).isEqualTo(64);
        return node;
    }

    private static Set<Integer> from(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().collect(Collectors.toSet());
    }

    @Test
    void a_shard_whose_hand_over_a_failover_has_lost_is_relayed_by_its_owner_again() {
        Node first = new Node(1);
        first.tick();
        Node second = new Node(1);
        second.tick();
        first.tick();
        second.tick();
        first.membership.tick();
        List<Lease> before = store.shards().all();
        first.relay.iterate();
        assertThat(first.relay.leases()).as("handed over").hasSize(32);

        store.restoreShards(before);
        first.tick();
        first.tick();

        assertThat(first.relay.leases()).extracting(Lease::shard).containsAll(numbersOf(first));
    }
}
