package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.StoreFixture.Delivery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several rows of a lane, claimed and acknowledged in one transaction. */
interface BatchContract extends StoreContract {

    @Test
    default void a_batch_is_claimed_and_deleted_as_a_whole() {
        List<MessageHead> heads = publishMany(5);
        try (Delivery delivery = bench().begin()) {
            delivery.claim(heads);
            delivery.acknowledge(heads, "A");
            delivery.commit();
        }
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void a_batch_that_is_rolled_back_leaves_its_rows_as_they_were() {
        List<MessageHead> heads = publishMany(3);
        try (Delivery delivery = bench().begin()) {
            delivery.claim(heads);
            delivery.acknowledge(heads, "A");
            delivery.rollback();
        }
        assertThat(ready()).isEqualTo(heads);
    }

    @Test
    default void one_row_that_has_changed_or_is_gone_loses_the_claims_of_all() {
        List<MessageHead> heads = publishMany(3);
        MessageHead changed = heads.get(1);
        store().acks().acknowledge(List.of(acknowledged(changed, "B", AckMode.ADD_DONE_ROW)));
        try (Delivery delivery = bench().begin()) {
            assertThatThrownBy(() -> delivery.claim(heads)).isInstanceOf(ClaimLostException.class);
        }
        MessageHead last = heads.get(2);
        store().acks().acknowledge(List.of(acknowledged(last, "A", AckMode.DELETE_MESSAGE)));
        try (Delivery delivery = bench().begin()) {
            assertThatThrownBy(() -> delivery.claim(List.of(heads.get(0), last)))
                    .isInstanceOf(ClaimLostException.class);
        }
        assertThat(ready())
                .extracting(MessageHead::seq, MessageHead::version)
                .containsExactly(tuple(heads.get(0).seq(), 0), tuple(changed.seq(), 1));
    }

    @Test
    default void what_was_not_claimed_is_not_acknowledged() {
        List<MessageHead> heads = publishMany(3);
        try (Delivery delivery = bench().begin()) {
            delivery.claim(heads.subList(0, 2));
            assertThatThrownBy(() -> delivery.acknowledge(heads, "A")).isInstanceOf(ClaimLostException.class);
        }
        assertThat(ready()).isEqualTo(heads);
    }

    @Test
    default void rows_that_were_written_before_are_deleted_with_what_belongs_to_them() {
        List<MessageHead> heads = publishMany(3);
        store().acks().acknowledge(List.of(acknowledged(heads.get(1), "B", AckMode.ADD_DONE_ROW)));
        List<MessageHead> current = ready();
        assertThat(current.get(1).version()).isEqualTo(1);
        try (Delivery delivery = bench().begin()) {
            delivery.claim(current);
            delivery.acknowledge(current, "A");
            delivery.commit();
        }
        assertThat(bench().messageRows()).isZero();
        assertThat(bench().deliveryRows()).isZero();
    }

    @Test
    default void a_row_that_another_transaction_holds_holds_up_the_batch() {
        List<MessageHead> heads = publishMany(3);
        try (Delivery other = bench().begin();
                Delivery delivery = bench().begin()) {
            other.claim(heads.get(2));
            assertThatThrownBy(() -> delivery.claim(heads))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.isTransient()).isTrue());
        }
    }

    private List<MessageHead> publishMany(int count) {
        List<MessageHead> heads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            publish();
        }
        heads.addAll(ready());
        return heads;
    }
}
