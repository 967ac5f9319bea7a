package io.outboxed.internal.store;

import static io.outboxed.admin.StoredEvent.MessageState.SPLIT;
import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.store.StoreFixture.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Successes. */
interface AcksContract extends StoreContract {
    @Test
    default void a_delivery_claims_first_and_acknowledges_the_claimed_row_last() {
        MessageHead head = publish();
        try (Delivery delivery = bench().begin()) {
            delivery.claim(head);
            delivery.acknowledge(head, "A", AckMode.DELETE_MESSAGE);
            delivery.commit();
        }
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void a_rolled_back_delivery_leaves_the_row_as_it_was() {
        MessageHead head = publish();
        try (Delivery delivery = bench().begin()) {
            delivery.claim(head);
            delivery.acknowledge(head, "A", AckMode.ADD_DONE_ROW);
            delivery.rollback();
        }
        assertThat(ready()).containsExactly(head);
        assertThat(store().reads().done(List.of(head.id()))).isEmpty();
    }

    @Test
    default void a_row_acknowledged_elsewhere_cannot_be_claimed() {
        MessageHead head = publish();
        store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.ADD_DONE_ROW)));
        try (Delivery delivery = bench().begin()) {
            assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> delivery.claim(head));
        }
    }

    @Test
    default void acknowledging_without_the_claim_is_refused_in_every_kind() {
        MessageHead whole = publish();
        MessageHead split = publish();
        write(resolve(split, retry("A", 0), retry("B", 0)));
        MessageHead waiting = split("A");
        for (AckMode ackMode : List.of(AckMode.DELETE_MESSAGE, AckMode.ADD_DONE_ROW)) {
            try (Delivery delivery = bench().begin()) {
                assertThatExceptionOfType(ClaimLostException.class)
                        .as("%s", ackMode)
                        .isThrownBy(() -> delivery.acknowledge(whole, "A", ackMode));
            }
        }
        try (Delivery delivery = bench().begin()) {
            assertThatExceptionOfType(ClaimLostException.class)
                    .isThrownBy(() -> delivery.acknowledge(waiting, "A", AckMode.DELETE_DELIVERY));
        }
        assertThat(bench().deliveryRows()).isEqualTo(2);
    }

    @Test
    default void handlers_one_after_the_other_leave_done_rows_that_go_with_the_last() {
        MessageHead head = publish();
        deliver(head, "A", AckMode.ADD_DONE_ROW);
        MessageHead after = ready().get(0);
        assertThat(after.version()).isEqualTo(head.version() + 2);
        assertThat(store().reads().done(List.of(head.id()))).isEqualTo(Map.of(head.id(), Set.of("A")));
        deliver(after, "B", AckMode.DELETE_MESSAGE);
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void the_last_waiting_delivery_takes_the_message_along() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", 0)));
        WaitingDelivery first = store().reads().waiting(LANE, "A", 10).get(0);
        assertThat(first.head().status()).isEqualTo(SPLIT);
        deliver(first.head(), "A", AckMode.DELETE_DELIVERY);
        WaitingDelivery second = store().reads().waiting(LANE, "B", 10).get(0);
        deliver(second.head(), "B", AckMode.DELETE_DELIVERY);
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void the_last_of_a_batch_takes_the_message_along_too() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", 0)));
        MessageHead read = split("A");
        store().acks()
                .acknowledge(List.of(
                        acknowledged(read, "A", AckMode.DELETE_DELIVERY),
                        acknowledged(read, "B", AckMode.DELETE_DELIVERY)));
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void a_batch_of_successes_is_recorded_and_may_be_repeated() {
        List<MessageHead> heads =
                IntStream.range(0, 20).mapToObj(i -> publish()).toList();
        MessageHead split = publish();
        write(resolve(split, retry("A", 0), retry("B", 0)));
        List<Ack> batch = List.of(
                acknowledged(heads.get(0), "A", AckMode.DELETE_MESSAGE),
                acknowledged(heads.get(1), "A", AckMode.ADD_DONE_ROW),
                acknowledged(heads.get(2), "A", AckMode.ADD_DONE_ROW),
                acknowledged(heads.get(2), "B", AckMode.DELETE_MESSAGE),
                acknowledged(split("A"), "A", AckMode.DELETE_DELIVERY));
        store().acks().acknowledge(batch);
        store().acks().acknowledge(batch);
        assertThat(ready())
                .extracting(MessageHead::seq)
                .doesNotContain(heads.get(0).seq(), heads.get(2).seq());
        assertThat(ready()).hasSize(18);
        assertThat(ready().get(0).version()).isPositive();
        assertThat(store().reads().done(List.of(heads.get(1).id(), heads.get(2).id())))
                .isEqualTo(Map.of(heads.get(1).id(), Set.of("A")));
        assertThat(store().reads().waiting(LANE, "A", 10)).isEmpty();
        assertThat(store().reads().waiting(LANE, "B", 10)).hasSize(1);

        store().acks()
                .acknowledge(ready().stream()
                        .map(head -> acknowledged(head, "B", AckMode.DELETE_MESSAGE))
                        .toList());
        store().acks().acknowledge(List.of(acknowledged(split, "B", AckMode.DELETE_DELIVERY)));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_success_that_is_recorded_again_does_not_change_the_version_that_the_relay_knows() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", 0)));
        MessageHead split = split("A");
        List<Ack> once = List.of(acknowledged(split, "A", AckMode.DELETE_DELIVERY));

        store().acks().acknowledge(once);
        store().acks().acknowledge(once);

        assertThat(split("B").version()).isEqualTo(split.version() + 1);
    }

    @Test
    default void a_late_fact_of_a_zombie_neither_revives_nor_leaks() {
        MessageHead gone = publish();
        store().acks().acknowledge(List.of(acknowledged(gone, "A", AckMode.DELETE_MESSAGE)));
        for (AckMode ackMode : AckMode.values()) {
            store().acks().acknowledge(List.of(acknowledged(gone, "B", ackMode)));
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();

        MessageHead split = publish();
        write(resolve(split, retry("B", 0), retry("C", 0)));
        store().acks().acknowledge(List.of(acknowledged(split, "A", AckMode.ADD_DONE_ROW)));
        assertThat(bench().deliveryRows())
                .as("no done row beside a split message")
                .isEqualTo(2);
        store().acks().acknowledge(List.of(acknowledged(split, "B", AckMode.DELETE_MESSAGE)));
        assertThat(bench().deliveryRows())
                .as("B was called before the message was split: the successor repeats it, and all that follows")
                .isEqualTo(2);
        store().acks().acknowledge(List.of(acknowledged(split, "B", AckMode.DELETE_DELIVERY)));
        assertThat(store().reads().waiting(LANE, "C", 10))
                .as("the zombie may not end C")
                .hasSize(1);
        store().acks().acknowledge(List.of(acknowledged(split, "C", AckMode.DELETE_DELIVERY)));
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_late_success_of_a_blocked_delivery_leaves_it_to_the_operator_or_its_lane_would_wait_for_ever() {
        MessageHead head = publish();
        MessageHead behind = publish();
        write(resolve(head, new Resolution.Blocked("A", "A", 3, "boom")), resolve(behind, retry("A", 0)));
        store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.DELETE_DELIVERY)));
        assertThat(bench().messageRows()).isEqualTo(2);
        assertThat(bench().deliveryRows()).isEqualTo(2);
    }

    @Test
    default void a_fact_about_another_message_with_the_same_number_changes_nothing() {
        MessageHead head = publish();
        MessageHead older = new MessageHead(
                head.seq(),
                UUID.randomUUID(),
                SHARD,
                LANE,
                head.type(),
                head.aggregateType(),
                head.status(),
                0,
                0,
                0,
                0,
                false,
                null,
                null);
        for (AckMode ackMode : AckMode.values()) {
            store().acks().acknowledge(List.of(acknowledged(older, "A", ackMode)));
        }
        write(resolve(older, retry("A", 0)), new FencedWrite.Park(LANE, List.of(older)));
        assertThat(start(lease(), List.of(older))).isEmpty();
        try (Delivery delivery = bench().begin()) {
            assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> delivery.claim(older));
        }
        assertThat(ready()).containsExactly(head);
        assertThat(bench().deliveryRows()).isZero();
    }
}
