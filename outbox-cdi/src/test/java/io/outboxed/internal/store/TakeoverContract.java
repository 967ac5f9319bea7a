package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.store.StoreBench.Delivery;
import io.outboxed.internal.store.StoreBench.Draft;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a node that lost a shard still reports, and how far its receivers get. */
interface TakeoverContract extends StoreContract {
    @Test
    default void a_counted_start_raises_the_versions_of_what_follows_in_its_lane() {
        List<Head> heads = new ArrayList<>();
        for (int i = 0; i < RelayStore.BUMPED + 3; i++) {
            heads.add(publish());
        }
        Head other = bench().publish(Draft.inLane(LANE + 64));
        decide(judge(heads.get(3), retry("A", 0)), new Decision.Park(LANE, heads.subList(4, 5)));

        assertThat(store().start(lease(), List.of(heads.get(1))))
                .containsExactly(heads.get(1).id());

        List<Integer> versions = new ArrayList<>(Collections.nCopies(RelayStore.BUMPED + 2, 1));
        versions.set(0, 0);
        versions.set(3, 2);
        assertThat(store().lane(LANE, 1000))
                .as("the split one has left, the parked one was touched twice")
                .extracting(Head::version)
                .containsExactlyElementsOf(versions);
        assertThat(split("A").version()).isEqualTo(1);
        assertThat(store().lane(LANE, 3)).extracting(Head::starts).containsExactly(0, 1, 0);
        assertThat(store().lane(other.lane(), 1)).extracting(Head::version).containsExactly(0);
    }

    @Test
    default void no_more_than_can_have_been_in_memory_is_raised() {
        List<Head> heads = new ArrayList<>();
        for (int i = 0; i < RelayStore.BUMPED + 3; i++) {
            heads.add(publish());
        }
        store().start(lease(), heads.subList(0, 1));
        assertThat(store().lane(LANE, 1000))
                .extracting(Head::version)
                .containsExactlyElementsOf(Stream.concat(
                                Collections.nCopies(RelayStore.BUMPED + 1, 1).stream(), Stream.of(0, 0))
                        .toList());
    }

    @Test
    default void several_suspects_of_a_lane_are_counted_once_each() {
        Head first = publish();
        Head second = publish();
        Head third = publish();
        assertThat(store().start(lease(), List.of(first, second))).containsExactly(first.id(), second.id());
        assertThat(ready()).extracting(Head::version).containsExactly(1, 1, 1);
        assertThat(ready()).extracting(Head::starts).containsExactly(1, 1, 0);
        assertThat(store().start(lease(), List.of(third)))
                .as("it has changed since it was read")
                .isEmpty();
        assertThat(ready()).extracting(Head::version).containsExactly(1, 1, 1);
    }

    @Test
    default void a_lane_in_which_a_row_is_held_is_left_alone() {
        Head first = publish();
        Head second = publish();
        Head other = bench().publish(Draft.inLane(LANE + 64));
        for (Head held : List.of(first, second)) {
            try (Delivery zombie = bench().begin()) {
                zombie.mark(held);
                Head free = store().lane(other.lane(), 1).get(0);
                assertThat(store().start(lease(), List.of(first, free))).containsExactly(other.id());
                zombie.rollback();
            }
            assertThat(store().lane(LANE, 10)).extracting(Head::version).containsExactly(0, 0);
            assertThat(store().lane(LANE, 10)).extracting(Head::starts).containsExactly(0, 0);
        }
        assertThat(store().start(lease(), List.of(first))).containsExactly(first.id());
    }

    @Test
    default void late_successes_of_a_node_that_lost_its_shard_settle_nothing_that_is_repeated() {
        List<Head> heads = List.of(publish(), publish(), publish());
        Lease successor = takeShard(SHARD, "successor");
        assertThat(store().start(successor, heads.subList(0, 1))).hasSize(1);
        for (Settlement how : List.of(Settlement.LAST, Settlement.DONE)) {
            store().settle(heads.stream().map(head -> settled(head, "A", how)).toList());
        }
        assertThat(ready())
                .extracting(Head::id)
                .containsExactly(
                        heads.get(0).id(), heads.get(1).id(), heads.get(2).id());
        assertThat(bench().deliveryRows()).isZero();
        store().settle(ready().stream()
                .map(head -> settled(head, "A", Settlement.LAST))
                .toList());
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void nothing_is_settled_behind_a_row_that_another_transaction_holds() {
        Head before = publish();
        Head held = publish();
        Head behind = publish();
        Head other = bench().publish(Draft.inLane(LANE + 64));
        List<Head> all = List.of(other, behind, held, before);
        try (Delivery zombie = bench().begin()) {
            zombie.mark(held);
            settleButHeld(all, Settlement.LAST);
            zombie.rollback();
        }
        assertThat(ready()).containsExactly(held, behind);
        assertThat(store().lane(other.lane(), 1)).isEmpty();
        store().settle(List.of(settled(held, "A", Settlement.LAST), settled(behind, "A", Settlement.LAST)));
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void nothing_is_recorded_or_ended_behind_a_row_that_another_transaction_holds() {
        Head held = publish();
        Head done = publish();
        Head split = publish();
        Head last = publish();
        decide(judge(split, retry("A", 0)));
        List<Settled> batch = List.of(
                settled(last, "A", Settlement.LAST),
                settled(split("A"), "A", Settlement.LAST_WAITING),
                settled(done, "A", Settlement.DONE),
                settled(held, "A", Settlement.LAST));
        try (Delivery zombie = bench().begin()) {
            zombie.mark(held);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store().settle(batch))
                    .satisfies(e -> assertThat(e.isTransient() && e.isHeld()).isTrue());
            zombie.rollback();
        }
        assertThat(ready()).containsExactly(held, done, last);
        assertThat(bench().deliveryRows()).isEqualTo(1);
        store().settle(batch);
        assertThat(ready()).extracting(Head::id).containsExactly(done.id());
        assertThat(bench().messageRows()).isEqualTo(1);
    }

    private void settleButHeld(List<Head> heads, Settlement how) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store().settle(heads.stream()
                        .map(head -> settled(head, "A", how))
                        .toList()))
                .satisfies(e -> assertThat(e.isTransient() && e.isHeld()).isTrue());
    }
}
