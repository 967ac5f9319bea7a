package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import org.junit.jupiter.api.Test;

/** A replay that may break the order of an aggregate needs consent. */
interface ReorderingConsentContract extends OperationsContract {

    @Test
    default void a_replay_that_may_break_the_order_needs_consent() {
        MessageHead skipped = publish();
        MessageHead waits = publish();
        write(resolve(skipped, dead("A")), resolve(waits, blocked("B")));
        try (OutboxOperations operations = operations()) {
            assertThat(operations.deadLetterChanges().preview(DeadLetterFilter.all()))
                    .satisfies(preview -> {
                        assertThat(preview.matched()).isEqualTo(2);
                        assertThat(preview.inPlace()).isOne();
                        assertThat(preview.behindNewer()).isOne();
                        assertThat(preview.newest()).hasSize(2);
                    });
            assertThat(operations.deadLetterChanges().replay(Target.whichever(skipped.id(), "A"), false, ALICE))
                    .isEqualTo(ReplayResult.WOULD_REORDER);
            assertThat(operations.deadLetterChanges().replay(DeadLetterFilter.all(), 10, false, ALICE, each -> {}))
                    .isOne();
            assertThat(operations.deadLetterChanges().replay(Target.whichever(waits.id(), "B"), false, ALICE))
                    .isEqualTo(ReplayResult.NOT_FOUND);
            assertThat(operations.deadLetterChanges().replay(Target.whichever(skipped.id(), "A"), true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::messageId, AuditEntry::count)
                    .containsExactlyInAnyOrder(
                            tuple("replay", "dead letters", null, 1L), tuple("replay", "handler A", skipped.id(), 1L));
        }
    }

    @Test
    default void without_an_aggregate_there_is_no_order_that_needs_consent() throws Exception {
        MessageHead none = publish();
        MessageHead unknown = publish();
        MessageHead spaces = publish();
        write(resolve(none, dead("A")), resolve(unknown, dead("A")), resolve(spaces, dead("B")));
        jdbc().run("UPDATE outbox_dead SET aggregate_id = '' WHERE message_id = ?", none.id());
        jdbc().run("UPDATE outbox_dead SET aggregate_id = NULL WHERE message_id = ?", unknown.id());
        jdbc().run("UPDATE outbox_dead SET aggregate_id = '  ' WHERE message_id = ?", spaces.id());
        try (OutboxOperations operations = operations()) {
            assertThat(operations.deadLetterChanges().preview(DeadLetterFilter.all()))
                    .satisfies(preview -> {
                        assertThat(preview.matched()).isEqualTo(3);
                        assertThat(preview.inPlace()).isZero();
                        assertThat(preview.behindNewer()).as("that of spaces").isOne();
                    });
            assertThat(operations
                            .deadLetterChanges()
                            .preview(DeadLetterFilter.all().handler("A"))
                            .behindNewer())
                    .isZero();
            assertThat(operations.deadLetterChanges().replay(DeadLetterFilter.all(), 10, false, ALICE, each -> {}))
                    .isEqualTo(2);
        }
        assertThat(bench().deadLetters())
                .singleElement()
                .satisfies(left -> assertThat(left.messageId()).isEqualTo(spaces.id()));
    }

    /** Its place is gone with its message. */
    @Test
    default void a_replay_of_a_blocked_event_whose_message_was_deleted_needs_consent() throws Exception {
        MessageHead head = publish();
        write(resolve(head, blocked("A")));
        jdbc().run("DELETE FROM outbox_message WHERE seq = ?", head.seq());
        try (OutboxOperations operations = operations()) {
            assertThat(operations.deadLetterChanges().replay(Target.whichever(head.id(), "A"), false, ALICE))
                    .isEqualTo(ReplayResult.WOULD_REORDER);
            assertThat(operations.deadLetterChanges().replay(DeadLetterFilter.all(), 10, false, ALICE, each -> {}))
                    .isZero();
            assertThat(bench().deadLetters()).hasSize(1);
            assertThat(audit(operations)).isEmpty();
            assertThat(operations.deadLetterChanges().replay(Target.whichever(head.id(), "A"), true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
        }
        assertThat(ready()).singleElement().satisfies(again -> {
            assertThat(again.id()).isEqualTo(head.id());
            assertThat(again.onlyHandler()).isEqualTo("A");
        });
    }
}
