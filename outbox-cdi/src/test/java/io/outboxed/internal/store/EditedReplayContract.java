package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.EventContent;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A dead letter is replaced by a new event with another payload. */
interface EditedReplayContract extends OperationsContract {

    @Test
    default void a_dead_letter_is_replaced_by_a_new_event_with_another_payload() {
        MessageHead skipped = publish();
        MessageHead waits = publish();
        MessageHead behind = publish();
        write(resolve(skipped, dead("A")), resolve(waits, blocked("A")), resolve(behind, retry("A", 0)));
        try (OutboxOperations operations = operations()) {
            for (MessageHead head : List.of(skipped, waits)) {
                UUID newId = UUID.randomUUID();
                Edited edited = new Edited(newId, "{\"caf\u00e9\": 1}", 12);
                assertThat(operations
                                .deadLetterChanges()
                                .replace(Target.whichever(head.id(), "A"), edited, false, ALICE))
                        .isEqualTo(ReplayResult.WOULD_REORDER);
                assertThat(operations
                                .deadLetterChanges()
                                .replace(Target.whichever(head.id(), "B"), edited, true, ALICE))
                        .isEqualTo(ReplayResult.NOT_FOUND);
                assertThat(operations
                                .deadLetterChanges()
                                .replace(Target.whichever(head.id(), "A"), edited, true, ALICE))
                        .isEqualTo(ReplayResult.REPLAYED);
                assertThat(operations
                                .deadLetterChanges()
                                .replace(Target.whichever(head.id(), "A"), edited, true, ALICE))
                        .isEqualTo(ReplayResult.NOT_FOUND);
                assertThat(operations.messages().content(newId).orElseThrow().text())
                        .isEqualTo(edited.payload());
                assertThat(operations.event(head.id()).isEmpty()).isTrue();
                assertThat(audit(operations).get(0)).satisfies(entry -> {
                    assertThat(entry.action()).isEqualTo("edit");
                    assertThat(entry.target()).isEqualTo("handler A, new event " + newId);
                    assertThat(entry.messageId()).isEqualTo(head.id());
                });
            }
            assertThat(dueGroups()).as("what was behind continues").containsExactly("A");
            assertThat(ready()).hasSize(2).allSatisfy(head -> {
                assertThat(head.onlyHandler()).isEqualTo("A");
                assertThat(head.seq()).isGreaterThan(behind.seq());
            });
        }
    }

    /** Change data capture sends what is inserted, and reads no updates. */
    @Test
    default void the_new_event_is_inserted_with_its_payload_and_not_updated_afterwards() throws Exception {
        MessageHead text = publish();
        MessageHead binary = publish();
        write(resolve(text, dead("A")), resolve(binary, dead("A")));
        jdbc().run(
                        "UPDATE outbox_dead SET payload = NULL, payload_binary = ?, payload_size = 3"
                                + " WHERE message_id = ?",
                        new byte[] {1, 2, 3},
                        binary.id());
        Edited newText = new Edited(UUID.randomUUID(), "{\"caf\u00e9\": 1}", 12);
        Edited newBytes = new Edited(UUID.randomUUID(), "{\"caf\u00e9\": 2}", 12);
        RecordedStatements statements = new RecordedStatements(jdbc().source());
        try (OutboxOperations operations = OutboxOperations.open(statements, jdbc().prefix())) {
            assertThat(operations.deadLetterChanges().replace(Target.whichever(text.id(), "A"), newText, true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            assertThat(operations
                            .deadLetterChanges()
                            .replace(Target.whichever(binary.id(), "A"), newBytes, true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            assertThat(operations.messages().content(newText.id()))
                    .hasValue(new EventContent(null, newText.payload(), null));
            assertThat(operations.messages().content(newBytes.id())).hasValueSatisfying(content -> {
                assertThat(content.text()).isNull();
                assertThat(new String(content.bytes(), StandardCharsets.UTF_8)).isEqualTo(newBytes.payload());
            });
        }
        assertThat(ready()).extracting(MessageHead::size).containsExactly(12, 12);
        assertThat(statements.beginningWith(jdbc().named("INSERT INTO outbox_message")))
                .isNotEmpty();
        assertThat(statements.beginningWith(jdbc().named("UPDATE outbox_message")))
                .isEmpty();
    }
}
