package io.outboxed.internal.store;

import static io.outboxed.admin.StoredEvent.MessageState.PARKED;
import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What only the owner of a shard does. */
interface FencedWritesContract extends StoreContract {
    @Test
    default void a_node_that_lost_its_lease_decides_nothing() {
        MessageHead head = publish();
        takeShard(SHARD, "other");
        assertThatThrownBy(() -> write(resolve(head, dead("A")))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> store().writes().refresh(lease(), laneOf("A"))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> start(lease(), List.of(head))).isInstanceOf(LeaseLostException.class);
        assertThat(ready()).containsExactly(head);
        assertThat(bench().deadLetters()).isEmpty();
    }

    @Test
    default void a_failed_handler_waits_and_the_others_are_done() {
        MessageHead head = publish();
        deliver(head, "A", AckMode.ADD_DONE_ROW);
        write(resolve(ready().get(0), retry("B", HOUR)));
        assertThat(ready()).isEmpty();
        assertThat(store().reads().lane(LANE, 10)).isEmpty();
        assertThat(store().reads().waits(List.of(LANE, 99L))).isEqualTo(Map.of(LANE, Set.of("B")));
        assertThat(store().reads().waitingShards(List.of(SHARD, 8))).containsExactly(SHARD);
        assertThat(dueGroups()).isEmpty();
        assertThat(bench().deliveryRows()).as("the done row has gone").isEqualTo(1);
        assertThat(store().reads().waiting(LANE, "B", 10))
                .as("not before it is due")
                .isEmpty();
        write(resolve(head, retry("B", 0)));
        assertThat(store().reads().waiting(LANE, "B", 10)).singleElement().satisfies(waiting -> {
            assertThat(waiting.handler()).isEqualTo("B");
            assertThat(waiting.group()).isEqualTo("B");
            assertThat(waiting.attempts()).isEqualTo(1);
            assertThat(waiting.head().id()).isEqualTo(head.id());
        });
    }

    @Test
    default void a_resolution_loses_against_a_recorded_success() {
        MessageHead head = publish();
        store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.ADD_DONE_ROW)));
        write(resolve(head, dead("A"), retry("B", 0)));
        assertThat(bench().deadLetters()).isEmpty();
        MessageHead split = split("B");
        store().acks().acknowledge(List.of(acknowledged(split, "B", AckMode.DELETE_DELIVERY)));
        write(resolve(split, retry("B", 0)));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void resolving_a_message_without_resolutions_ends_it() {
        MessageHead head = publish();
        store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.ADD_DONE_ROW)));
        write(resolve(head));
        write(resolve(head));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_decision_may_be_repeated() {
        MessageHead head = publish();
        FencedWrite write = resolve(head, retry("A", 0), dead("B"), blocked("C"));
        write(write);
        write(write);
        assertThat(bench().deadLetters()).extracting(DeadLetter::handler).containsExactlyInAnyOrder("B", "C");
        assertThat(bench().deliveryRows()).isEqualTo(2);
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A", "C")));
    }

    @Test
    default void the_lane_row_belongs_to_the_first_waiting_message() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, retry("A", HOUR)));
        write(resolve(second, retry("A", 0)));
        assertThat(dueGroups()).as("the later message must not wake the first").isEmpty();
        write(resolve(first, retry("A", 0)));
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(waiting -> waiting.head().seq())
                .containsExactly(first.seq(), second.seq());
        write(resolve(split("A"), retry("A", HOUR)));
        assertThat(dueGroups()).isEmpty();
        assertThat(store().reads().waiting(LANE, "A", 10)).isEmpty();
        write(resolve(first, dead("A")));
        assertThat(dueGroups()).as("it was due all along").containsExactly("A");
    }

    @Test
    default void a_blocked_lane_stays_blocked_behind_its_first_message() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")));
        write(resolve(second, retry("A", 0)));
        write(new FencedWrite.PostponeLane(laneOf("A"), 0));
        assertThat(dueGroups()).isEmpty();
        assertThat(store().reads().waiting(LANE, "A", 10)).isEmpty();
        assertThat(store().writes().refresh(lease(), laneOf("A"))).isFalse();
        assertThat(bench().deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.handler()).isEqualTo("A");
            assertThat(letter.messageId()).isEqualTo(first.id());
            assertThat(letter.blocking()).isTrue();
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.error()).isEqualTo("boom");
        });
    }

    @Test
    default void a_message_that_is_dead_for_one_handler_lives_on_for_the_other() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, retry("A", HOUR), retry("B", HOUR)));
        write(resolve(second, retry("A", 0)));
        write(resolve(first, dead("A")));
        assertThat(dueGroups()).as("the next of A's lane continues").containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.head().seq()).isEqualTo(second.seq()));
        write(resolve(first, retry("B", 0)));
        WaitingDelivery other = store().reads().waiting(LANE, "B", 10).get(0);
        write(resolve(other.head(), dead("B")));
        assertThat(bench().messageRows()).isEqualTo(1);
        assertThat(bench().deadLetters()).hasSize(2);
    }

    @Test
    default void a_parked_lane_is_read_in_order_until_it_is_empty() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead third = publish();
        write(new FencedWrite.Park(LANE, List.of(second, first)));
        write(new FencedWrite.Park(LANE, List.of(second, first)));
        assertThat(ready()).containsExactly(third);
        assertThat(dueGroups()).containsExactly(LaneWait.PARKED);
        List<MessageHead> rows = store().reads().lane(LANE, 10);
        assertThat(rows).extracting(MessageHead::seq).containsExactly(first.seq(), second.seq(), third.seq());
        assertThat(rows).extracting(MessageHead::status).startsWith(PARKED, PARKED);
        assertThat(rows.get(0).version()).isPositive();
        assertThat(store().reads().lane(LANE, 2)).hasSize(2);

        assertThat(store().writes().refresh(lease(), laneOf(LaneWait.PARKED))).isFalse();
        deliver(rows.get(0), "A", AckMode.DELETE_MESSAGE);
        write(resolve(rows.get(1), retry("A", 0)));
        assertThat(store().writes().refresh(lease(), laneOf(LaneWait.PARKED)))
                .as("a split row is not a parked one")
                .isTrue();
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A")));
        assertThat(ready()).containsExactly(third);
    }

    @Test
    default void a_delayed_message_parks_until_its_delay_has_passed() {
        MessageHead head = bench().publish(Draft.inLane(LANE).delay(HOUR));
        write(new FencedWrite.Park(LANE, List.of(head)));
        assertThat(ready()).isEmpty();
        assertThat(dueGroups()).isEmpty();
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of(LaneWait.PARKED)));
        write(new FencedWrite.PostponeLane(laneOf(LaneWait.PARKED), 0));
        assertThat(dueGroups()).containsExactly(LaneWait.PARKED);
    }

    @Test
    default void parking_rows_that_are_gone_leaves_no_lane_row() {
        MessageHead head = publish();
        store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.DELETE_MESSAGE)));
        write(new FencedWrite.Park(LANE, List.of(head)));
        assertThat(store().reads().waits(List.of(LANE))).isEmpty();
    }

    @Test
    default void a_lane_row_goes_when_no_delivery_of_its_kind_is_left() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", 0)));
        assertThat(store().writes().refresh(lease(), laneOf("A"))).isFalse();
        deliver(split("A"), "A", AckMode.DELETE_DELIVERY);
        assertThat(store().writes().refresh(lease(), laneOf("A"))).isTrue();
        assertThat(store().writes().refresh(lease(), laneOf("A"))).isTrue();
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("B")));
        MessageHead next = publish();
        store().acks().acknowledge(List.of(acknowledged(next, "A", AckMode.ADD_DONE_ROW)));
        assertThat(store().writes().refresh(lease(), laneOf("A")))
                .as("a done row waits for nothing")
                .isTrue();
    }

    @Test
    default void a_try_is_counted_before_the_call() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0)));
        write(new FencedWrite.CountAttempt(split("A"), "A", 2));
        assertThat(store().reads().waiting(LANE, "A", 10).get(0).attempts()).isEqualTo(2);
        store().acks().acknowledge(List.of(acknowledged(split("A"), "A", AckMode.DELETE_DELIVERY)));
        write(new FencedWrite.CountAttempt(head, "A", 3));
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void an_unknown_type_is_adopted_by_its_first_handlers() {
        MessageHead head = publish();
        MessageHead next = publish();
        write(resolve(head, retry(LaneWait.NO_HANDLER, 0)), resolve(next, retry("A", HOUR)));
        MessageHead waiting = split(LaneWait.NO_HANDLER);
        FencedWrite adopt = new FencedWrite.Adopt(waiting, Map.of("B", "B", "A", "A"));
        write(adopt);
        write(adopt);
        assertThat(store().reads().waiting(LANE, LaneWait.NO_HANDLER, 10)).isEmpty();
        assertThat(store().writes().refresh(lease(), laneOf(LaneWait.NO_HANDLER)))
                .isTrue();
        assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .as("in front of the later one, which is not due")
                .extracting(row -> row.head().seq())
                .containsExactly(head.seq());
        assertThat(store().reads().waiting(LANE, "B", 10)).singleElement().satisfies(row -> {
            assertThat(row.attempts()).isZero();
        });
    }

    @Test
    default void suspects_are_counted_unless_their_row_has_changed() {
        MessageHead first = publish();
        MessageHead second = publish();
        MessageHead third = publish();
        store().acks()
                .acknowledge(List.of(
                        acknowledged(second, "A", AckMode.ADD_DONE_ROW),
                        acknowledged(third, "A", AckMode.DELETE_MESSAGE)));
        assertThat(start(lease(), List.of(first, second, third))).containsExactly(first.id());
        assertThat(ready()).extracting(MessageHead::starts).containsExactly(1, 0);
        assertThat(ready())
                .extracting(MessageHead::version)
                .as("the second had a done row")
                .containsExactly(1, 2);
        deliver(first.withVersion(first.version() + 1), "A", AckMode.DELETE_MESSAGE);
    }
}
