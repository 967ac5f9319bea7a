package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a node that has lost a shard still reports, and how far its receivers get. */
interface TakeoverContract extends StoreContract {
    @Test
    default void a_counted_start_raises_the_versions_of_what_follows_in_its_lane() {
        List<MessageHead> heads = new ArrayList<>();
        for (int i = 0; i < FencedWriter.BUMPED + 3; i++) {
            heads.add(publish());
        }
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        write(resolve(heads.get(3), retry("A", 0)), new FencedWrite.Park(LANE, heads.subList(4, 5)));

        assertThat(start(lease(), List.of(heads.get(1))))
                .containsExactly(heads.get(1).id());

        List<Integer> versions = new ArrayList<>(Collections.nCopies(FencedWriter.BUMPED + 2, 1));
        versions.set(0, 0);
        versions.set(3, 2);
        assertThat(store().reads().lane(LANE, 1000))
                .as("the split one has left, the parked one was touched twice")
                .extracting(MessageHead::version)
                .containsExactlyElementsOf(versions);
        assertThat(split("A").version()).isEqualTo(1);
        assertThat(store().reads().lane(LANE, 3))
                .extracting(MessageHead::starts)
                .containsExactly(0, 1, 0);
        assertThat(store().reads().lane(other.lane(), 1))
                .extracting(MessageHead::version)
                .containsExactly(0);
    }

    @Test
    default void a_start_that_was_not_followed_by_a_call_is_taken_back_once() {
        MessageHead head = publish();
        start(lease(), List.of(head));
        MessageHead again = ready().get(0);
        start(lease(), List.of(again));
        assertThat(ready()).extracting(MessageHead::starts).containsExactly(2);

        write(new FencedWrite.RevertStart(head));
        assertThat(ready())
                .as("another start was counted since")
                .extracting(MessageHead::starts)
                .containsExactly(2);
        write(new FencedWrite.RevertStart(again));
        write(new FencedWrite.RevertStart(again));

        assertThat(ready()).extracting(MessageHead::starts).containsExactly(1);
        assertThat(ready())
                .as("it may be running again")
                .extracting(MessageHead::version)
                .containsExactly(2);
    }

    @Test
    default void a_start_of_a_waiting_delivery_is_counted_once_and_only_until_there_is_an_answer() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", 0), retry("C", 0)));
        MessageHead before = split("A");
        write(new FencedWrite.UpdateStarts(before, 0, 1));
        write(new FencedWrite.UpdateStarts(before, 0, 1));

        assertThat(split("A").starts()).isEqualTo(1);
        assertThat(split("A").version())
                .as("the success of a call that goes on is recorded all the same")
                .isEqualTo(before.version());
        assertThat(store().reads().waiting(LANE, "A", 10).get(0).attempts())
                .as("it is no attempt")
                .isEqualTo(1);

        write(new FencedWrite.UpdateStarts(before, 1, 2));
        write(new FencedWrite.UpdateStarts(before, 2, 1));
        assertThat(split("A").starts()).isEqualTo(1);

        write(resolve(split("A"), retry("A", 0)));
        assertThat(split("A").starts()).isZero();

        write(new FencedWrite.UpdateStarts(before, 0, 1));
        store().acks().acknowledge(List.of(acknowledged(split("A"), "A", AckMode.DELETE_DELIVERY)));
        assertThat(split("B").starts()).isZero();

        write(new FencedWrite.UpdateStarts(before, 0, 1));
        deliver(split("B"), "B", AckMode.DELETE_DELIVERY);
        assertThat(split("C").starts())
                .as("a success in the delivery's transaction")
                .isZero();
    }

    @Test
    default void a_start_of_a_waiting_delivery_is_not_counted_while_another_transaction_holds_the_message() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0)));
        try (Delivery zombie = bench().begin()) {
            zombie.claim(split("A"));
            write(new FencedWrite.UpdateStarts(head, 0, 1));
            zombie.rollback();
        }
        assertThat(split("A").starts()).isZero();
    }

    @Test
    default void a_start_of_a_message_that_another_transaction_holds_is_taken_back_later() {
        MessageHead head = publish();
        start(lease(), List.of(head));
        try (Delivery zombie = bench().begin()) {
            zombie.claim(ready().get(0));
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> write(new FencedWrite.RevertStart(head)))
                    .satisfies(e -> assertThat(e.isRowLocked()).isTrue());
            zombie.rollback();
        }
        assertThat(ready()).extracting(MessageHead::starts).containsExactly(1);
    }

    @Test
    default void what_follows_a_suspect_that_does_not_run_is_raised_without_counting_a_start() {
        MessageHead paused = publish();
        MessageHead behind = publish();

        assertThat(store().writes().start(lease(), List.of(paused), Set.of(), Set.of(LANE)))
                .containsExactly(paused.id());

        assertThat(ready()).extracting(MessageHead::version).containsExactly(0, 1);
        assertThat(ready()).extracting(MessageHead::starts).containsExactly(0, 0);
        store().acks().acknowledge(List.of(acknowledged(behind, "A", AckMode.DELETE_MESSAGE)));
        assertThat(ready())
                .as("a late success of the last owner")
                .extracting(MessageHead::id)
                .containsExactly(paused.id(), behind.id());
        write(resolve(paused, retry("A", 0)));
        assertThat(ready()).extracting(MessageHead::id).containsExactly(behind.id());
    }

    @Test
    default void no_more_than_can_have_been_in_memory_is_raised() {
        List<MessageHead> heads = new ArrayList<>();
        for (int i = 0; i < FencedWriter.BUMPED + 3; i++) {
            heads.add(publish());
        }
        start(lease(), heads.subList(0, 1));
        assertThat(store().reads().lane(LANE, 1000))
                .extracting(MessageHead::version)
                .containsExactlyElementsOf(Stream.concat(
                                Collections.nCopies(FencedWriter.BUMPED + 1, 1).stream(), Stream.of(0, 0))
                        .toList());
    }

    @Test
    default void several_suspects_of_a_lane_are_counted_once_each() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead third = publish();
        assertThat(start(lease(), List.of(first, second))).containsExactly(first.id(), second.id());
        assertThat(ready()).extracting(MessageHead::version).containsExactly(1, 1, 1);
        assertThat(ready()).extracting(MessageHead::starts).containsExactly(1, 1, 0);
        assertThat(start(lease(), List.of(third)))
                .as("it has changed since it was read")
                .isEmpty();
        assertThat(ready()).extracting(MessageHead::version).containsExactly(1, 1, 1);
    }

    @Test
    default void a_lane_in_which_a_row_is_held_is_left_alone() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        for (MessageHead held : List.of(first, second)) {
            try (Delivery zombie = bench().begin()) {
                zombie.claim(held);
                MessageHead free = store().reads().lane(other.lane(), 1).get(0);
                assertThat(start(lease(), List.of(first, free))).containsExactly(other.id());
                zombie.rollback();
            }
            assertThat(store().reads().lane(LANE, 10))
                    .extracting(MessageHead::version)
                    .containsExactly(0, 0);
            assertThat(store().reads().lane(LANE, 10))
                    .extracting(MessageHead::starts)
                    .containsExactly(0, 0);
        }
        assertThat(start(lease(), List.of(first))).containsExactly(first.id());
    }

    @Test
    default void late_successes_of_a_node_that_lost_its_shard_acknowledge_nothing_that_is_repeated() {
        List<MessageHead> heads = List.of(publish(), publish(), publish());
        Lease successor = takeShard(SHARD, "successor");
        assertThat(start(successor, heads.subList(0, 1))).hasSize(1);
        for (AckMode ackMode : List.of(AckMode.DELETE_MESSAGE, AckMode.ADD_DONE_ROW)) {
            store().acks()
                    .acknowledge(heads.stream()
                            .map(head -> acknowledged(head, "A", ackMode))
                            .toList());
        }
        assertThat(ready())
                .extracting(MessageHead::id)
                .containsExactly(
                        heads.get(0).id(), heads.get(1).id(), heads.get(2).id());
        assertThat(bench().deliveryRows()).isZero();
        store().acks()
                .acknowledge(ready().stream()
                        .map(head -> acknowledged(head, "A", AckMode.DELETE_MESSAGE))
                        .toList());
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void nothing_is_acknowledged_behind_a_row_that_another_transaction_holds() {
        MessageHead before = publish();
        MessageHead held = publish();
        MessageHead behind = publish();
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        List<MessageHead> all = List.of(other, behind, held, before);
        try (Delivery zombie = bench().begin()) {
            zombie.claim(held);
            acknowledgeButHeld(all, AckMode.DELETE_MESSAGE);
            zombie.rollback();
        }
        assertThat(ready()).containsExactly(held, behind);
        assertThat(store().reads().lane(other.lane(), 1)).isEmpty();
        store().acks()
                .acknowledge(List.of(
                        acknowledged(held, "A", AckMode.DELETE_MESSAGE),
                        acknowledged(behind, "A", AckMode.DELETE_MESSAGE)));
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void nothing_is_recorded_or_ended_behind_a_row_that_another_transaction_holds() {
        MessageHead held = publish();
        MessageHead done = publish();
        MessageHead split = publish();
        MessageHead last = publish();
        write(resolve(split, retry("A", 0)));
        List<Ack> batch = List.of(
                acknowledged(last, "A", AckMode.DELETE_MESSAGE),
                acknowledged(split("A"), "A", AckMode.DELETE_DELIVERY),
                acknowledged(done, "A", AckMode.ADD_DONE_ROW),
                acknowledged(held, "A", AckMode.DELETE_MESSAGE));
        try (Delivery zombie = bench().begin()) {
            zombie.claim(held);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store().acks().acknowledge(batch))
                    .satisfies(
                            e -> assertThat(e.isTransient() && e.isRowLocked()).isTrue());
            zombie.rollback();
        }
        assertThat(ready()).containsExactly(held, done, last);
        assertThat(bench().deliveryRows()).isEqualTo(1);
        store().acks().acknowledge(batch);
        assertThat(ready()).extracting(MessageHead::id).containsExactly(done.id());
        assertThat(bench().messageRows()).isEqualTo(1);
    }

    private void acknowledgeButHeld(List<MessageHead> heads, AckMode ackMode) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store().acks()
                        .acknowledge(heads.stream()
                                .map(head -> acknowledged(head, "A", ackMode))
                                .toList()))
                .satisfies(e -> assertThat(e.isTransient() && e.isRowLocked()).isTrue());
    }
}
