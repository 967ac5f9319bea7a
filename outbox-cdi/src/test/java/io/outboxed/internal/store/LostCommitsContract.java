package io.outboxed.internal.store;

import static io.outboxed.admin.StoredEvent.MessageState.PARKED;
import static io.outboxed.admin.StoredEvent.MessageState.SPLIT;
import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.StoreFixture.Draft;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The database has lost commits that a node has counted, as after a failover to a server that lacks the last ones. */
interface LostCommitsContract extends StoreContract {

    @Test
    default void a_handler_whose_recorded_success_is_lost_is_not_taken_for_successful() {
        MessageHead head = publish();

        assertThatNothingIsStored(head.answered(2), retry("B", 0));
        assertThatNothingIsStored(head.answered(1), dead("B"));

        assertThat(ready()).containsExactly(head);
    }

    @Test
    default void so_it_is_with_a_parked_message() {
        MessageHead head = publish();
        write(new FencedWrite.Park(LANE, List.of(head)));
        MessageHead parked = store().reads().lane(LANE, 10).get(0);

        assertThatNothingIsStored(parked.answered(parked.version() + 2), retry("B", 0));

        assertThat(store().reads().lane(LANE, 10))
                .extracting(MessageHead::status)
                .containsExactly(PARKED);
    }

    @Test
    default void a_message_is_whole_again_if_the_decision_that_had_split_it_is_lost() {
        MessageHead whole = publish();
        MessageHead asItWas = new MessageHead(
                whole.seq(),
                whole.id(),
                whole.shard(),
                whole.lane(),
                whole.type(),
                whole.aggregateType(),
                SPLIT,
                1,
                whole.registryVersion(),
                whole.size(),
                whole.starts(),
                whole.delayed(),
                whole.onlyHandler(),
                null);

        assertThatNothingIsStored(asItWas, retry("B", 0));

        assertThat(ready()).containsExactly(whole);
    }

    /** Its rows name every handler that is open. */
    @Test
    default void a_split_message_that_has_lost_a_success_still_waits_for_all_of_its_handlers() {
        write(resolve(publish(), retry("A", 0), retry("B", 0)));
        MessageHead split = split("A");

        write(resolve(split.answered(split.version() + 1), retry("B", 0)));

        assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
    }

    @Test
    default void of_decisions_together_none_is_stored_if_one_of_them_has_lost_a_success() {
        MessageHead lost = publish();
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));

        assertThatThrownBy(() -> write(resolve(other, retry("A", 0)), resolve(lost.answered(2), retry("B", 0))))
                .isInstanceOf(StoreException.class);

        assertThat(ready()).containsExactlyInAnyOrder(lost, other);
    }

    /** The relay has to learn of it, before it calls the later events of the aggregate. */
    @Test
    default void a_success_outside_a_transaction_is_refused_if_an_earlier_one_of_its_event_is_lost() {
        MessageHead head = publish();
        MessageHead other = bench().publish(Draft.inLane(LANE + 64));
        for (AckMode ackMode : AckMode.values()) {
            assertThatExceptionOfType(ClaimLostException.class)
                    .as("%s", ackMode)
                    .isThrownBy(() -> store().acks()
                            .acknowledge(List.of(
                                    acknowledged(head.answered(1), "B", ackMode),
                                    acknowledged(other, "A", AckMode.ADD_DONE_ROW))));
        }
        assertThat(ready()).contains(head);
        assertThat(store().reads().done(List.of(head.id()))).isEmpty();

        store().acks().acknowledge(List.of(acknowledged(head, "A", AckMode.DELETE_MESSAGE)));
        assertThat(ready()).extracting(MessageHead::id).containsExactly(other.id());
    }

    @Test
    default void a_split_message_takes_a_success_although_it_has_lost_that_of_another_handler() {
        write(resolve(publish(), retry("A", 0), retry("B", 0)));
        MessageHead counted = split("A").answered(split("A").version() + 1);

        store().acks().acknowledge(List.of(acknowledged(counted, "B", AckMode.DELETE_DELIVERY)));

        assertThat(store().reads().waiting(LANE, "A", 10)).hasSize(1);
        assertThat(store().reads().waiting(LANE, "B", 10)).isEmpty();
    }

    private void assertThatNothingIsStored(MessageHead head, Resolution resolution) {
        assertThatThrownBy(() -> write(resolve(head, resolution)))
                .isInstanceOfSatisfying(StoreException.class, refused -> {
                    assertThat(refused.isTransient())
                            .as("it is of no use to repeat it")
                            .isFalse();
                    assertThat(refused.isForAllRows()).isFalse();
                });
        assertThat(bench().deliveryRows()).isZero();
        assertThat(bench().deadLetters()).isEmpty();
    }
}
