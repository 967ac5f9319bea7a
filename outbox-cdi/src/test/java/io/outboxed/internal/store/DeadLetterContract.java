package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to an event whose dead letter is replayed or discarded. */
interface DeadLetterContract extends JdbcContract {

    @Test
    default void a_replayed_message_can_die_again_and_be_replayed_again() {
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            for (int i = 0; i < 3; i++) {
                assertThat(Unrecorded.replay(letters, head.id(), "A")).isTrue();
                assertThat(bench().deadLetters()).isEmpty();
                write(resolve(ready().get(0), retry("A", 0)));
                write(resolve(split("A"), dead("A")));
                assertThat(bench().deadLetters()).hasSize(1);
                assertThat(jdbc().messageRows()).isZero();
                assertThat(store().reads().waits(List.of(LANE))).isEmpty();
            }
        }
    }

    @Test
    default void a_blocked_message_is_replayed_in_its_place() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.replay(letters, first.id(), "A")).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .extracting(row -> row.head().seq())
                .containsExactly(first.seq(), second.seq());
        write(resolve(split("A"), blocked("A")));
        assertThat(bench().deadLetters()).hasSize(1);
        assertThat(dueGroups()).isEmpty();
    }

    @Test
    default void a_discarded_blocked_message_makes_way() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.discard(letters, first.id(), "A")).isTrue();
            assertThat(Unrecorded.discard(letters, first.id(), "A")).isFalse();
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .singleElement()
                .satisfies(row -> assertThat(row.head().seq()).isEqualTo(second.seq()));
        assertThat(jdbc().messageRows()).isEqualTo(1);
        assertThat(bench().deadLetters()).isEmpty();
    }

    @Test
    default void a_discarded_blocked_message_that_was_already_deleted_makes_way_too() throws Exception {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        jdbc().run("DELETE FROM outbox_message WHERE seq = ?", first.seq());
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.discard(letters, first.id(), "A")).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
    }

    /** Its new row waits behind what it held up. */
    @Test
    default void a_replayed_blocked_message_that_was_already_deleted_makes_way_too() throws Exception {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, blocked("A")), resolve(second, retry("A", 0)));
        jdbc().run("DELETE FROM outbox_message WHERE seq = ?", first.seq());
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.replay(letters, first.id(), "A")).isTrue();
        }
        assertThat(dueGroups()).containsExactly("A");
        assertThat(store().reads().waiting(LANE, "A", 10))
                .singleElement()
                .satisfies(row -> assertThat(row.head().seq()).isEqualTo(second.seq()));
        assertThat(jdbc().count("outbox_delivery")).isOne();
    }

    /** Whoever asks may have read it while it still blocked its aggregate. */
    @Test
    default void a_skipped_message_of_an_aggregate_is_not_replayed_without_consent() throws Exception {
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        List<DeadLetter> before = bench().deadLetters();
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(letters.replay(Target.whichever(head.id(), "A"), false, ChangeRecorder.NONE))
                    .isFalse();
            assertThat(bench().deadLetters()).isEqualTo(before);
            assertThat(jdbc().messageRows()).isZero();
            for (String none : Arrays.asList("", null)) {
                jdbc().run("UPDATE outbox_dead SET aggregate_id = ?", none);
                assertThat(letters.replay(Target.whichever(head.id(), "A"), false, ChangeRecorder.NONE))
                        .isTrue();
                write(resolve(ready().get(0), dead("A")));
            }
        }
    }

    @Test
    default void a_discarded_skipped_message_is_only_forgotten() {
        MessageHead head = publish();
        write(resolve(head, dead("A"), retry("B", 0)));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThat(Unrecorded.discard(letters, head.id(), "A")).isTrue();
            assertThat(Unrecorded.replay(letters, head.id(), "A")).isFalse();
        }
        assertThat(store().reads().waiting(LANE, "B", 10)).hasSize(1);
    }
}
