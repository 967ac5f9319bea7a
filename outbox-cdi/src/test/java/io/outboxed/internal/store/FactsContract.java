package io.outboxed.internal.store;

import static io.outboxed.internal.store.Head.Status.SPLIT;
import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.store.StoreBench.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Successes. */
interface FactsContract extends StoreContract {
    @Test
    default void a_delivery_marks_first_and_settles_the_marked_row_last() {
        Head head = publish();
        try (Delivery delivery = bench().begin()) {
            delivery.mark(head);
            delivery.settle(head, "A", Settlement.LAST);
            delivery.commit();
        }
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void a_rolled_back_delivery_leaves_the_row_as_it_was() {
        Head head = publish();
        try (Delivery delivery = bench().begin()) {
            delivery.mark(head);
            delivery.settle(head, "A", Settlement.DONE);
            delivery.rollback();
        }
        assertThat(ready()).containsExactly(head);
        assertThat(store().done(List.of(head.id()))).isEmpty();
    }

    @Test
    default void a_row_settled_elsewhere_cannot_be_marked() {
        Head head = publish();
        store().settle(List.of(settled(head, "A", Settlement.DONE)));
        try (Delivery delivery = bench().begin()) {
            assertThatExceptionOfType(LostMarkException.class).isThrownBy(() -> delivery.mark(head));
        }
    }

    @Test
    default void settling_without_the_mark_is_refused_in_every_kind() {
        Head whole = publish();
        Head split = publish();
        decide(judge(split, retry("A", 0), retry("B", 0)));
        Head waiting = split("A");
        for (Settlement how : List.of(Settlement.LAST, Settlement.DONE)) {
            try (Delivery delivery = bench().begin()) {
                assertThatExceptionOfType(LostMarkException.class)
                        .as("%s", how)
                        .isThrownBy(() -> delivery.settle(whole, "A", how));
            }
        }
        for (Settlement how : List.of(Settlement.WAITING, Settlement.LAST_WAITING)) {
            try (Delivery delivery = bench().begin()) {
                assertThatExceptionOfType(LostMarkException.class)
                        .as("%s", how)
                        .isThrownBy(() -> delivery.settle(waiting, "A", how));
            }
        }
        assertThat(bench().deliveryRows()).isEqualTo(2);
    }

    @Test
    default void handlers_one_after_the_other_leave_done_rows_that_go_with_the_last() {
        Head head = publish();
        deliver(head, "A", Settlement.DONE);
        Head after = ready().get(0);
        assertThat(after.version()).isEqualTo(head.version() + 2);
        assertThat(store().done(List.of(head.id()))).isEqualTo(Map.of(head.id(), Set.of("A")));
        deliver(after, "B", Settlement.LAST);
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void the_last_waiting_delivery_takes_the_message_along() {
        Head head = publish();
        decide(judge(head, retry("A", 0), retry("B", 0)));
        Waiting first = store().waiting(LANE, "A", 10).get(0);
        assertThat(first.last()).isFalse();
        assertThat(first.head().status()).isEqualTo(SPLIT);
        deliver(first.head(), "A", Settlement.WAITING);
        Waiting second = store().waiting(LANE, "B", 10).get(0);
        assertThat(second.last()).isTrue();
        deliver(second.head(), "B", Settlement.LAST_WAITING);
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_delivery_that_was_not_known_to_be_the_last_takes_the_message_along_too() {
        Head head = publish();
        decide(judge(head, retry("A", 0), retry("B", 0)));
        deliver(split("A"), "A", Settlement.WAITING);
        deliver(split("B"), "B", Settlement.WAITING);
        assertThat(bench().messageRows()).isZero();

        Head next = publish();
        decide(judge(next, retry("A", 0), retry("B", 0)));
        Head read = split("A");
        store().settle(List.of(settled(read, "A", Settlement.WAITING), settled(read, "B", Settlement.WAITING)));
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void a_batch_of_successes_is_recorded_and_may_be_repeated() {
        List<Head> heads = IntStream.range(0, 20).mapToObj(i -> publish()).toList();
        Head split = publish();
        decide(judge(split, retry("A", 0), retry("B", 0)));
        List<Settled> batch = List.of(
                settled(heads.get(0), "A", Settlement.LAST),
                settled(heads.get(1), "A", Settlement.DONE),
                settled(heads.get(2), "A", Settlement.DONE),
                settled(heads.get(2), "B", Settlement.LAST),
                settled(split("A"), "A", Settlement.WAITING));
        store().settle(batch);
        store().settle(batch);
        assertThat(ready())
                .extracting(Head::seq)
                .doesNotContain(heads.get(0).seq(), heads.get(2).seq());
        assertThat(ready()).hasSize(18);
        assertThat(ready().get(0).version()).isPositive();
        assertThat(store().done(List.of(heads.get(1).id(), heads.get(2).id())))
                .isEqualTo(Map.of(heads.get(1).id(), Set.of("A")));
        assertThat(store().waiting(LANE, "A", 10)).isEmpty();
        assertThat(store().waiting(LANE, "B", 10)).hasSize(1);

        store().settle(ready().stream()
                .map(head -> settled(head, "B", Settlement.LAST))
                .toList());
        store().settle(List.of(settled(split, "B", Settlement.LAST_WAITING)));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_late_fact_of_a_zombie_neither_revives_nor_leaks() {
        Head gone = publish();
        store().settle(List.of(settled(gone, "A", Settlement.LAST)));
        for (Settlement how : Settlement.values()) {
            store().settle(List.of(settled(gone, "B", how)));
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();

        Head split = publish();
        decide(judge(split, retry("B", 0), retry("C", 0)));
        store().settle(List.of(settled(split, "A", Settlement.DONE)));
        assertThat(bench().deliveryRows())
                .as("no done row beside a split message")
                .isEqualTo(2);
        store().settle(List.of(settled(split, "B", Settlement.LAST)));
        assertThat(bench().deliveryRows())
                .as("B is older than what has split the message: its successor repeats it, with all that follows")
                .isEqualTo(2);
        store().settle(List.of(settled(split, "B", Settlement.WAITING)));
        assertThat(store().waiting(LANE, "C", 10))
                .as("C was not the zombie's to end")
                .hasSize(1);
        store().settle(List.of(settled(split, "C", Settlement.LAST_WAITING)));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_late_success_of_a_blocked_delivery_leaves_it_to_the_operator_or_its_lane_would_wait_for_ever() {
        Head head = publish();
        Head behind = publish();
        decide(judge(head, new Verdict.Blocked("A", "A", 3, "boom")), judge(behind, retry("A", 0)));
        store().settle(List.of(settled(head, "A", Settlement.LAST_WAITING)));
        assertThat(bench().messageRows()).isEqualTo(2);
        assertThat(bench().deliveryRows()).isEqualTo(2);
    }

    @Test
    default void a_fact_about_another_message_with_the_same_number_changes_nothing() {
        Head head = publish();
        Head older = new Head(
                head.seq(), UUID.randomUUID(), SHARD, LANE, head.type(), head.status(), 0, 0, 0, 0, false, null, null);
        for (Settlement how : Settlement.values()) {
            store().settle(List.of(settled(older, "A", how)));
        }
        decide(judge(older, retry("A", 0)), new Decision.Park(LANE, List.of(older)));
        assertThat(start(lease(), List.of(older))).isEmpty();
        try (Delivery delivery = bench().begin()) {
            assertThatExceptionOfType(LostMarkException.class).isThrownBy(() -> delivery.mark(older));
        }
        assertThat(ready()).containsExactly(head);
        assertThat(bench().deliveryRows()).isZero();
    }
}
