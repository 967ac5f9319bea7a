package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.judge;
import static io.outboxed.internal.store.StoreContract.retry;
import static io.outboxed.internal.store.StoreContract.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.StoreBench.Delivery;
import io.outboxed.internal.store.StoreBench.Draft;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows in the hands of a frozen transaction, and bad text. */
interface HeldRowsContract extends StoreContract {
    @Test
    default void a_held_row_is_left_for_later_and_holds_up_nothing_else() {
        Head held = publish();
        Head behind = publish();
        Head free = bench().publish(Draft.inLane(LANE + 64));
        Head split = publish();
        decide(judge(split, retry("A", 0)));
        Head waiting = split("A");
        try (Delivery zombie = bench().begin();
                Delivery other = bench().begin()) {
            zombie.mark(held);
            other.mark(waiting);
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> decide(judge(held, retry("A", 0))))
                    .satisfies(e -> assertThat(e.isTransient() && e.isHeld()).isTrue());
            decide(
                    new Decision.Park(LANE, List.of(held, behind)),
                    new Decision.Park(LANE + 64, List.of(free)),
                    new Decision.Count(waiting, "A", 2));
            assertThat(ready()).containsExactly(held);
            assertThat(store().lane(LANE, 10)).extracting(Head::seq).containsExactly(held.seq(), behind.seq());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store().settle(List.of(
                            settled(held, "A", Settlement.LAST), settled(parked(free), "A", Settlement.LAST))))
                    .satisfies(e -> assertThat(e.isTransient() && e.isHeld()).isTrue());
            assertThat(store().lane(LANE + 64, 10))
                    .as("the free row is settled")
                    .isEmpty();
            zombie.settle(held, "A", Settlement.LAST);
            zombie.commit();
        }
        assertThat(ready()).isEmpty();
    }

    /** As the row is now. */
    private Head parked(Head head) {
        return store().lane(head.lane(), 10).stream()
                .filter(row -> row.id().equals(head.id()))
                .map(StoreBench::withoutBody)
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
            Head head = publish();
            decide(judge(head, new Verdict.Dead("A", "A", 1, text), new Verdict.Retry("B", "B", 1, text, 0)));
        }
        assertThat(bench().deadLetters()).hasSize(texts.size());
        assertThat(store().waiting(LANE, "B", 100)).hasSize(texts.size());
        assertThat(bench().deadLetters())
                .extracting(DeadLetter::error)
                .contains(
                        "\uD83D\uDE00".repeat(2000),
                        "a\uFFFDb",
                        Collections.nCopies(1, "x".repeat(4000)).get(0));
    }
}
