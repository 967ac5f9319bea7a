package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the cancel of a bulk operation takes effect. */
interface BulkCancelContract extends BulkFixture {

    @Test
    default void a_cancelled_operation_changes_nothing_more() {
        dieOfA(5);
        try (BulkNode node = bulkNode()) {
            BulkOperation started =
                    node.start(BulkRequest.replay(OF_A).allowReordering(true).perSecond(2));
            node.work(started);
            BulkOperation answer = node.bulk().cancel(started.id(), BOB).orElseThrow();
            assertThat(node.bulk().cancel(started.id(), BOB)).isEmpty();
            assertThat(node.bulk().cancel(UUID.randomUUID(), BOB)).isEmpty();

            BulkOperation cancelled = node.work(started);
            assertThat(cancelled).isEqualTo(answer);
            assertThat(cancelled.state()).isEqualTo(State.CANCELLED);
            assertThat(cancelled.changed()).isEqualTo(2);
            assertThat(node.deadLetters().count(OF_A)).isEqualTo(3);
            assertThat(node.audit())
                    .extracting(AuditEntry::action, AuditEntry::target)
                    .contains(tuple("cancel", "operation " + started.id()));
        }
    }

    @Test
    default void a_cancel_takes_effect_between_two_changes() {
        dieOfA(5);
        AtomicInteger changes = new AtomicInteger();
        try (BulkNode operator = bulkNode()) {
            BulkOperation started = operator.start(BulkRequest.discard(OF_A));
            try (BulkNode node = bulkNode(discarded -> {
                if (changes.incrementAndGet() == 2) {
                    operator.bulk().cancel(started.id(), BOB);
                }
            })) {
                assertThat(node.work(started).changed()).isEqualTo(2);
            }
            assertThat(operator.deadLetters().count(OF_A)).isEqualTo(3);
        }
    }
}
