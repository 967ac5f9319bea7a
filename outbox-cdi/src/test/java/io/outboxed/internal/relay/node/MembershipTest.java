package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.Announcements;
import io.outboxed.internal.relay.BetweenStatements;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.relay.loop.Mailbox;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeBeat;
import io.outboxed.internal.store.cluster.ShardOwner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MembershipTest {
    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);

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
        assertThat(store.shards().all()).extracting(ShardOwner::owner).allMatch(Objects::isNull);
    }

    @Test
    void a_node_that_was_declared_dead_joins_again_under_a_new_name() {
        Node first = new Node(1);
        first.tick();
        String before = first.membership.owner();
        NodeBeat seen = store.nodes().live().get(0);
        assertThat(store.nodes().declareDead(seen)).isTrue();

        first.tick();
        assertThat(first.membership.owner()).isNotEqualTo(before);
        assertThat(shardsOf(first)).isEqualTo(64);
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
        assertThat(store.nodes().live()).extracting(NodeBeat::owner).containsExactly(slow.membership.owner());
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

    @Test
    void taking_many_shards_slowly_does_not_cost_the_lease() {
        Node dead = new Node(1);
        dead.tick();
        Node slow = new Node(1, BetweenStatements.eachTime(store.ports(), "take", () -> now += 500_000_000L));
        slow.tick();
        watch(slow, 10);
        long before = now;
        while (shardsOf(slow) < 64) {
            long startedAt = now;
            slow.membership.tick();
            assertThat(Duration.ofNanos(now - startedAt)).isLessThan(Duration.ofSeconds(2));
            pass(1);
        }

        assertThat(Duration.ofNanos(now - before)).isLessThan(Duration.ofSeconds(90));
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
        for (int i = 0; i < 10; i++) {
            listed.tick();
            dynamic.tick();
        }
        listed.tick();
        assertThat(listed.relay.leases()).allMatch(lease -> lease.shard() == 7);
        assertThat(numbersOf(listed)).isSubsetOf(7);
    }

    private void watch(Node observer, int seconds) {
        for (int i = 0; i < seconds; i++) {
            pass(1);
            observer.membership.tick();
        }
    }

    private void pass(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private static Set<Integer> from(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().collect(Collectors.toSet());
    }

    private long shardsOf(Node node) {
        return numbersOf(node).size();
    }

    private List<Integer> numbersOf(Node node) {
        return store.shards().all().stream()
                .filter(shard -> Objects.equals(shard.owner(), node.membership.owner()))
                .map(ShardOwner::shard)
                .toList();
    }

    /** A node without handlers: only its membership and what its loop does about shards. */
    private final class Node {
        private final Mailbox mailbox = new Mailbox();
        private final RelayLoop relay;
        private final Membership membership;
        private long lost;

        private Node(long registryVersion) {
            this(registryVersion, store.ports());
        }

        private Node(Set<Integer> shards) {
            this(1, store.ports(), OutboxConfig.DEFAULTS.withRelay(OutboxConfig.Relay.DEFAULTS.withShards(shards)));
        }

        private Node(long registryVersion, RelayStore itsStore) {
            this(registryVersion, itsStore, OutboxConfig.DEFAULTS);
        }

        private Node(long registryVersion, RelayStore itsStore, OutboxConfig config) {
            RelayDependencies parts = new RelayDependencies(
                    itsStore,
                    new SimulatedHandlers(Map.of(), 0, handler -> false),
                    config,
                    () -> now,
                    () -> now / 1_000_000,
                    Math::random,
                    Announcements.on(Runnable::run));
            LeaseClock leaseClock =
                    new LeaseClock(OutboxConfig.DEFAULTS.relay().lease(), () -> now, () -> now / 1_000_000);
            relay = new RelayLoop(parts, mailbox, new CallQueue(8), leaseClock);
            membership = new Membership(parts, mailbox, relay, leaseClock, registryVersion);
        }

        private void tick() {
            List<Lease> before = List.copyOf(relay.leases());
            membership.tick();
            relay.iterate();
            relay.iterate();
            lost = before.stream()
                    .filter(lease -> !relay.leases().contains(lease))
                    .count();
        }

        private void leave() throws InterruptedException {
            List<Lease> idle = List.copyOf(relay.idleLeases());
            assertThat(membership.leave(idle, true)).isTrue();
        }
    }
}
