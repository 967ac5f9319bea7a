package io.outboxed.internal.store;

import static io.outboxed.internal.store.Head.Status.PARKED;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.StoreBench.Draft;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What only the holder of a shard does. */
interface DecisionsContract extends StoreContract {
    @Test
    default void who_lost_the_lease_decides_nothing() {
        Head head = publish();
        takeShard(SHARD, "other");
        assertThatThrownBy(() -> decide(judge(head, dead("A")))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> store().refresh(lease(), laneOf("A"))).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> start(lease(), List.of(head))).isInstanceOf(LeaseLostException.class);
        assertThat(ready()).containsExactly(head);
        assertThat(bench().deadLetters()).isEmpty();
    }

    @Test
    default void a_failed_handler_waits_and_the_others_are_done() {
        Head head = publish();
        deliver(head, "A", Settlement.DONE);
        decide(judge(ready().get(0), retry("B", HOUR)));
        assertThat(ready()).isEmpty();
        assertThat(store().lane(LANE, 10)).isEmpty();
        assertThat(store().waits(List.of(LANE, 99L))).isEqualTo(Map.of(LANE, Set.of("B")));
        assertThat(store().waitingShards(List.of(SHARD, 8))).containsExactly(SHARD);
        assertThat(dueGroups()).isEmpty();
        assertThat(bench().deliveryRows()).as("the done row has gone").isEqualTo(1);
        assertThat(store().waiting(LANE, "B", 10)).as("not before it is due").isEmpty();
        decide(judge(head, retry("B", 0)));
        assertThat(store().waiting(LANE, "B", 10)).singleElement().satisfies(waiting -> {
            assertThat(waiting.handler()).isEqualTo("B");
            assertThat(waiting.group()).isEqualTo("B");
            assertThat(waiting.attempts()).isEqualTo(1);
            assertThat(waiting.last()).isTrue();
            assertThat(waiting.head().id()).isEqualTo(head.id());
        });
    }

    @Test
    default void a_verdict_loses_against_a_recorded_success() {
        Head head = publish();
        store().settle(List.of(settled(head, "A", Settlement.DONE)));
        decide(judge(head, dead("A"), retry("B", 0)));
        assertThat(bench().deadLetters()).isEmpty();
        Head split = split("B");
        store().settle(List.of(settled(split, "B", Settlement.WAITING)));
        decide(judge(split, retry("B", 0)));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void judging_a_message_without_verdicts_ends_it() {
        Head head = publish();
        store().settle(List.of(settled(head, "A", Settlement.DONE)));
        decide(judge(head));
        decide(judge(head));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_decision_may_be_repeated() {
        Head head = publish();
        Decision decision = judge(head, retry("A", 0), dead("B"), blocked("C"));
        decide(decision);
        decide(decision);
        assertThat(bench().deadLetters()).extracting(DeadLetter::handler).containsExactlyInAnyOrder("B", "C");
        assertThat(bench().deliveryRows()).isEqualTo(2);
        assertThat(store().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A", "C")));
    }

    @Test
    default void the_lane_row_belongs_to_the_first_waiting_message() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, retry("A", HOUR)));
        decide(judge(second, retry("A", 0)));
        assertThat(dueGroups()).as("the later message must not wake the first").isEmpty();
        decide(judge(first, retry("A", 0)));
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().waiting(LANE, "A", 10))
                .extracting(waiting -> waiting.head().seq())
                .containsExactly(first.seq(), second.seq());
        decide(judge(split("A"), retry("A", HOUR)));
        assertThat(dueGroups()).isEmpty();
        assertThat(store().waiting(LANE, "A", 10)).isEmpty();
        decide(judge(first, dead("A")));
        assertThat(dueGroups()).as("it was due all the time").containsExactly("A");
    }

    @Test
    default void a_blocked_lane_stays_blocked_behind_its_first_message() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, blocked("A")));
        decide(judge(second, retry("A", 0)));
        decide(new Decision.Postpone(laneOf("A"), 0));
        assertThat(dueGroups()).isEmpty();
        assertThat(store().waiting(LANE, "A", 10)).isEmpty();
        assertThat(store().refresh(lease(), laneOf("A"))).isFalse();
        assertThat(bench().deadLetters()).singleElement().satisfies(letter -> {
            assertThat(letter.handler()).isEqualTo("A");
            assertThat(letter.messageId()).isEqualTo(first.id());
            assertThat(letter.blocked()).isTrue();
            assertThat(letter.attempts()).isEqualTo(3);
            assertThat(letter.error()).isEqualTo("boom");
        });
    }

    @Test
    default void a_message_that_is_dead_for_one_handler_lives_on_for_the_other() {
        Head first = publish();
        Head second = publish();
        decide(judge(first, retry("A", HOUR), retry("B", HOUR)));
        decide(judge(second, retry("A", 0)));
        decide(judge(first, dead("A")));
        assertThat(dueGroups()).as("the next of A's lane goes on").containsExactly("A");
        assertThat(store().waiting(LANE, "A", 10))
                .singleElement()
                .satisfies(waiting -> assertThat(waiting.head().seq()).isEqualTo(second.seq()));
        decide(judge(first, retry("B", 0)));
        Waiting other = store().waiting(LANE, "B", 10).get(0);
        assertThat(other.last()).isTrue();
        decide(judge(other.head(), dead("B")));
        assertThat(bench().messageRows()).isEqualTo(1);
        assertThat(bench().deadLetters()).hasSize(2);
    }

    @Test
    default void a_parked_lane_is_read_in_order_until_it_is_empty() {
        Head first = publish();
        Head second = publish();
        Head third = publish();
        decide(new Decision.Park(LANE, List.of(second, first)));
        decide(new Decision.Park(LANE, List.of(second, first)));
        assertThat(ready()).containsExactly(third);
        assertThat(dueGroups()).containsExactly(WaitingLane.WHOLE);
        List<Head> rows = store().lane(LANE, 10);
        assertThat(rows).extracting(Head::seq).containsExactly(first.seq(), second.seq(), third.seq());
        assertThat(rows).extracting(Head::status).startsWith(PARKED, PARKED);
        assertThat(rows.get(0).version()).isPositive();
        assertThat(store().lane(LANE, 2)).hasSize(2);

        assertThat(store().refresh(lease(), laneOf(WaitingLane.WHOLE))).isFalse();
        deliver(rows.get(0), "A", Settlement.LAST);
        decide(judge(rows.get(1), retry("A", 0)));
        assertThat(store().refresh(lease(), laneOf(WaitingLane.WHOLE)))
                .as("a split row is no parked one")
                .isTrue();
        assertThat(store().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A")));
        assertThat(ready()).containsExactly(third);
    }

    @Test
    default void a_delayed_message_parks_until_its_delay_has_passed() {
        Head head = bench().publish(Draft.inLane(LANE).delay(HOUR));
        decide(new Decision.Park(LANE, List.of(head)));
        assertThat(ready()).isEmpty();
        assertThat(dueGroups()).isEmpty();
        assertThat(store().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of(WaitingLane.WHOLE)));
        decide(new Decision.Postpone(laneOf(WaitingLane.WHOLE), 0));
        assertThat(dueGroups()).containsExactly(WaitingLane.WHOLE);
    }

    @Test
    default void parking_rows_that_are_gone_leaves_no_lane_row() {
        Head head = publish();
        store().settle(List.of(settled(head, "A", Settlement.LAST)));
        decide(new Decision.Park(LANE, List.of(head)));
        assertThat(store().waits(List.of(LANE))).isEmpty();
    }

    @Test
    default void a_lane_row_goes_when_no_delivery_of_its_kind_is_left() {
        Head head = publish();
        decide(judge(head, retry("A", 0), retry("B", 0)));
        assertThat(store().refresh(lease(), laneOf("A"))).isFalse();
        deliver(split("A"), "A", Settlement.WAITING);
        assertThat(store().refresh(lease(), laneOf("A"))).isTrue();
        assertThat(store().refresh(lease(), laneOf("A"))).isTrue();
        assertThat(store().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("B")));
        Head next = publish();
        store().settle(List.of(settled(next, "A", Settlement.DONE)));
        assertThat(store().refresh(lease(), laneOf("A")))
                .as("a done row waits for nothing")
                .isTrue();
    }

    @Test
    default void a_try_is_counted_before_the_call() {
        Head head = publish();
        decide(judge(head, retry("A", 0)));
        decide(new Decision.Count(split("A"), "A", 2));
        assertThat(store().waiting(LANE, "A", 10).get(0).attempts()).isEqualTo(2);
        store().settle(List.of(settled(split("A"), "A", Settlement.LAST_WAITING)));
        decide(new Decision.Count(head, "A", 3));
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void an_unknown_type_is_adopted_by_its_first_handlers() {
        Head head = publish();
        Head next = publish();
        decide(judge(head, retry(WaitingLane.UNKNOWN, 0)), judge(next, retry("A", HOUR)));
        Head waiting = split(WaitingLane.UNKNOWN);
        Decision adopt = new Decision.Adopt(waiting, Map.of("B", "B", "A", "A"));
        decide(adopt);
        decide(adopt);
        assertThat(store().waiting(LANE, WaitingLane.UNKNOWN, 10)).isEmpty();
        assertThat(store().refresh(lease(), laneOf(WaitingLane.UNKNOWN))).isTrue();
        assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
        assertThat(store().waiting(LANE, "A", 10))
                .as("in front of the later one, which is not due")
                .extracting(row -> row.head().seq())
                .containsExactly(head.seq());
        assertThat(store().waiting(LANE, "B", 10)).singleElement().satisfies(row -> {
            assertThat(row.attempts()).isZero();
            assertThat(row.last()).isFalse();
        });
    }

    @Test
    default void suspects_are_counted_unless_their_row_has_changed() {
        Head first = publish();
        Head second = publish();
        Head third = publish();
        store().settle(List.of(settled(second, "A", Settlement.DONE), settled(third, "A", Settlement.LAST)));
        assertThat(start(lease(), List.of(first, second, third))).containsExactly(first.id());
        assertThat(ready()).extracting(Head::starts).containsExactly(1, 0);
        assertThat(ready())
                .extracting(Head::version)
                .as("the second had a done row")
                .containsExactly(1, 2);
        deliver(first.withVersion(first.version() + 1), "A", Settlement.LAST);
    }
}
