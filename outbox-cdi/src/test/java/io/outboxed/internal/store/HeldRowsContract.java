package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.acknowledged;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.StoreFixture.Delivery;
import io.outboxed.internal.store.StoreFixture.Draft;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows that a frozen transaction holds, and text that a database refuses. */
interface HeldRowsContract extends StoreContract {
    @Test
    default void a_held_row_is_left_for_later_and_holds_up_nothing_else() {
        MessageHead held = publish();
        MessageHead behind = publish();
        MessageHead free = bench().publish(Draft.inLane(LANE + 64));
        MessageHead split = publish();
        write(resolve(split, retry("A", 0)));
        MessageHead waiting = split("A");
        try (Delivery zombie = bench().begin();
                Delivery other = bench().begin()) {
            zombie.claim(held);
            other.claim(waiting);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> write(resolve(held, retry("A", 0))))
                    .satisfies(
                            e -> assertThat(e.isTransient() && e.isRowLocked()).isTrue());
            write(new FencedWrite.Park(LANE, List.of(held, behind)), new FencedWrite.Park(LANE + 64, List.of(free)));
            assertThat(ready()).containsExactly(held);
            assertThat(store().reads().lane(LANE, 10))
                    .extracting(MessageHead::seq)
                    .containsExactly(held.seq(), behind.seq());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store().acks()
                            .acknowledge(List.of(
                                    acknowledged(held, "A", AckMode.DELETE_MESSAGE),
                                    acknowledged(parked(free), "A", AckMode.DELETE_MESSAGE))))
                    .satisfies(
                            e -> assertThat(e.isTransient() && e.isRowLocked()).isTrue());
            assertThat(store().reads().lane(LANE + 64, 10))
                    .as("the free row is acknowledged")
                    .isEmpty();
            zombie.acknowledge(held, "A", AckMode.DELETE_MESSAGE);
            zombie.commit();
        }
        assertThat(ready()).isEmpty();
    }

    /** Otherwise a worker would be called, and wait for the message as long as a frozen node holds it. */
    @Test
    default void an_attempt_is_not_counted_while_another_transaction_holds_the_message() {
        write(resolve(publish(), retry("A", 0)));
        MessageHead waiting = split("A");
        try (Delivery frozen = bench().begin()) {
            frozen.claim(waiting);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> write(new FencedWrite.CountAttempt(waiting, "A", 2)))
                    .satisfies(e -> assertThat(e.isRowLocked()).isTrue());
        }
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(WaitingDelivery::attempts)
                .containsExactly(1);
        write(new FencedWrite.CountAttempt(waiting, "A", 2));
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(WaitingDelivery::attempts)
                .containsExactly(2);
    }

    /** The row as it is now. */
    private MessageHead parked(MessageHead head) {
        return store().reads().lane(head.lane(), 10).stream()
                .filter(row -> row.id().equals(head.id()))
                .map(StoreFixture::withoutBody)
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void no_error_text_keeps_a_message_from_its_decision() {
        List<String> texts = Arrays.asList(
                "\0",
                "a\uD83Db",
                "\uDE00\uD83D",
                "x".repeat(100_000),
                "\uD83D\uDE00".repeat(50_000),
                "",
                null,
                "\u0007\u001b[0m");
        for (String text : texts) {
            MessageHead head = publish();
            write(resolve(head, new Resolution.Dead("A", "A", 1, text), new Resolution.Retry("B", "B", 1, text, 0)));
        }
        assertThat(bench().deadLetters()).hasSize(texts.size());
        assertThat(store().reads().waiting(LANE, "B", 100)).hasSize(texts.size());
        assertThat(bench().deadLetters())
                .extracting(DeadLetter::error)
                .contains(
                        "\uD83D\uDE00".repeat(2000),
                        "a\uFFFDb",
                        Collections.nCopies(1, "x".repeat(4000)).get(0));
    }
}
