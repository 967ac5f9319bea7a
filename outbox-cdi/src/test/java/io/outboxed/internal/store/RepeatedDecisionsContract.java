package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.StoreFixture.Draft;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A decision whose answer was lost is repeated; an operator may have changed meanwhile what it has led to. */
interface RepeatedDecisionsContract extends StoreContract {

    private LostAnswer lost(FencedWrite decision, boolean committed) {
        return new LostAnswer(store(), lease(), decision, committed);
    }

    @Test
    default void a_repeated_decision_leaves_what_an_operator_has_replayed_meanwhile() {
        MessageHead head = publish();
        LostAnswer decision = lost(resolve(head, blocked("A"), retry("B", HOUR)), true);
        assertThat(bench().replay(head.id(), "A")).isTrue();

        decision.repeat();

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(WaitingDelivery::attempts)
                .containsExactly(0);
        assertThat(store().reads().waits(List.of(LANE))).isEqualTo(Map.of(LANE, Set.of("A", "B")));
    }

    @Test
    default void a_replay_survives_a_repetition_after_an_exception_of_the_driver_itself() {
        MessageHead head = publish();
        LostAnswer decision = LostAnswer.byBugOfDriver(store(), lease(), resolve(head, blocked("A")));
        assertThat(bench().replay(head.id(), "A")).isTrue();

        decision.repeat();

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void a_replay_survives_a_repetition_after_the_last_retry() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0)));
        LostAnswer decision = lost(resolve(split("A"), blocked("A")), true);
        assertThat(bench().replay(head.id(), "A")).isTrue();

        decision.repeat();

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void a_dead_letter_that_was_replayed_as_a_new_message_does_not_come_back() {
        MessageHead head = publish();
        LostAnswer decision = lost(resolve(head, dead("A"), retry("B", HOUR)), true);
        assertThat(bench().replay(head.id(), "A")).isTrue();

        decision.repeat();

        assertThat(bench().deadLetters()).isEmpty();
        assertThat(ready()).singleElement().extracting(MessageHead::onlyHandler).isEqualTo("A");
    }

    @Test
    default void a_repeated_decision_is_stored_if_it_was_not_before() {
        MessageHead head = publish();
        LostAnswer first = lost(resolve(head, retry("A", 0), retry("B", 0)), false);
        first.repeat();
        assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");

        LostAnswer second = lost(resolve(split("A"), blocked("A")), false);
        second.repeat();
        assertThat(bench().deadLetters()).extracting(DeadLetter::handler).containsExactly("A");
        assertThat(dueGroups()).containsExactly("B");
    }

    @Test
    default void a_dead_letter_that_was_not_stored_is_stored_although_that_of_another_handler_was_replayed_meanwhile() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), blocked("B")));
        LostAnswer decision = lost(resolve(split("A"), dead("A")), false);
        assertThat(bench().replay(head.id(), "B")).isTrue();

        decision.repeat();

        assertThat(bench().deadLetters()).extracting(DeadLetter::handler).containsExactly("A");
        assertThat(dueGroups()).containsExactly("B");
    }

    @Test
    default void one_of_several_that_are_repeated_together_is_stored_if_it_was_not_before() {
        MessageHead head = bench().publish(Draft.inLane(LANE + 64));
        MessageHead stored = publish();
        LostAnswer decision = lost(resolve(stored, blocked("A")), true);
        assertThat(bench().replay(stored.id(), "A")).isTrue();
        decision.add(resolve(head, blocked("A")));

        decision.repeat();

        assertThat(bench().deadLetters()).extracting(DeadLetter::messageId).containsExactly(head.id());
        assertThat(dueGroups()).containsExactly("A");
    }
}
