package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an operator decides about the dead letter that they have seen. */
interface SeenDeadLetterContract extends OperationsContract {

    @Test
    default void one_that_was_replayed_and_died_again_since_it_was_seen_is_left_alone() {
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        Target seen = Target.only(bench().deadLetters().get(0));
        assertThat(bench().replay(head.id(), "A")).isTrue();
        write(resolve(ready().get(0), dead("A")));

        requireLeftAlone(seen);
        assertThat(jdbc().messageRows()).isZero();
    }

    @Test
    default void one_that_blocked_again_since_it_was_seen_is_left_alone() {
        MessageHead head = publish();
        write(resolve(head, blocked("A")));
        Target seen = Target.only(bench().deadLetters().get(0));
        assertThat(bench().replay(head.id(), "A")).isTrue();
        write(resolve(split("A"), blocked("A")));

        requireLeftAlone(seen);
        assertThat(jdbc().messageRows()).isOne();
        assertThat(dueGroups()).isEmpty();
    }

    /** The store is asked too: it has no earlier look at the dead letter, only the one under the lock. */
    private void requireLeftAlone(Target seen) {
        DeadLetter now = bench().deadLetters().get(0);
        assertThat(Target.only(now)).isNotEqualTo(seen);
        Edited edited = new Edited(UUID.randomUUID(), "{}", 2);
        try (OutboxOperations operations = operations()) {
            DeadLetterStore letters = operations.deadLetters();
            assertThat(letters.replay(seen, true, ChangeRecorder.NONE)).isFalse();
            assertThat(letters.replace(seen, edited, ChangeRecorder.NONE)).isFalse();
            assertThat(letters.discard(seen, ChangeRecorder.NONE)).isFalse();
            DeadLetterChanges changes = operations.deadLetterChanges();
            assertThat(changes.replay(seen, false, ALICE)).isEqualTo(ReplayResult.NOT_FOUND);
            assertThat(changes.replace(seen, edited, false, ALICE)).isEqualTo(ReplayResult.NOT_FOUND);
            assertThat(changes.discard(seen, ALICE, discarded -> {})).isFalse();
            assertThat(audit(operations)).isEmpty();
        }
        assertThat(bench().deadLetters()).containsExactly(now);
    }

    @Test
    default void one_that_is_still_the_one_that_was_seen_is_changed() {
        MessageHead head = publish();
        write(resolve(head, dead("A"), dead("B"), dead("C")));
        Edited edited = new Edited(UUID.randomUUID(), "{}", 2);
        try (OutboxOperations operations = operations()) {
            DeadLetterStore letters = operations.deadLetters();
            Target replayed = Target.only(letters.get(head.id(), "A").orElseThrow());
            Target replaced = Target.only(letters.get(head.id(), "B").orElseThrow());
            Target discarded = Target.only(letters.get(head.id(), "C").orElseThrow());
            DeadLetterChanges changes = operations.deadLetterChanges();
            assertThat(changes.replay(replayed, false, ALICE)).isEqualTo(ReplayResult.WOULD_REORDER);
            assertThat(changes.replay(replayed, true, ALICE)).isEqualTo(ReplayResult.REPLAYED);
            assertThat(changes.replace(replaced, edited, true, ALICE)).isEqualTo(ReplayResult.REPLAYED);
            assertThat(changes.discard(discarded, ALICE, letter -> {})).isTrue();
            assertThat(audit(operations))
                    .extracting(AuditEntry::action)
                    .containsExactlyInAnyOrder("replay", "edit", "discard");
        }
        assertThat(bench().deadLetters()).isEmpty();
    }
}
