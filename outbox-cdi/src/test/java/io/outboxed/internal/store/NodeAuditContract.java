package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.internal.boot.NodeCleanup;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.MaintenanceTask.Step;
import io.outboxed.internal.retention.OldRows;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What nodes leave in the audit of what they do by themselves. */
interface NodeAuditContract extends OperationsContract {

    @Test
    default void dead_letters_that_a_node_deletes_because_of_their_age_are_counted_in_one_row_for_each_pass()
            throws Exception {
        OldRows rows = new OldRows(jdbc().admin, jdbc().dialect(), jdbc().prefix());
        rows.history(rows.ago(Duration.ofDays(91)), 4);
        rows.inbox(rows.ago(Duration.ofDays(91)), 4);
        rows.deadLetters(rows.ago(Duration.ofDays(91)), 0, 2 * NodeCleanup.BATCH_SIZE + 1);
        rows.deadLetters(rows.ago(Duration.ofDays(91)), 1, 1);
        rows.deadLetters(rows.ago(Duration.ofDays(89)), 0, 1);
        try (OutboxOperations operations = operations();
                Connections connections = new Connections(jdbc().source(), jdbc().dialect(), 1)) {
            MaintenanceTask cleanup =
                    NodeCleanup.of(connections, jdbc().dialect(), jdbc().prefix(), operations.audit());
            pass(cleanup);
            pass(cleanup);
            assertThat(jdbc().count("outbox_dead"))
                    .as("a young one and one that blocks")
                    .isEqualTo(2);
            assertThat(jdbc().count("outbox_history") + jdbc().count("outbox_inbox"))
                    .isZero();

            rows.deadLetters(rows.ago(Duration.ofDays(91)), 0, 1);
            pass(cleanup);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::count, AuditEntry::messageId)
                    .containsExactly(
                            tuple("cleanup", "1 row of dead", 1L, null), tuple("cleanup", "7 rows of dead", 7L, null));
            assertThat(audit(operations)).extracting(AuditEntry::attribution).allSatisfy(by -> {
                assertThat(by.who()).isEqualTo(NodeCleanup.NODE);
                assertThat(by.via()).isEqualTo("node");
                assertThat(by.why()).contains("outbox.dead-letter.retention");
            });
        }
        assertThat(store().statistics().operatorChanges())
                .as("no operator has done it")
                .isEmpty();
    }

    private static void pass(MaintenanceTask cleanup) {
        Step step = cleanup.step();
        while (step == Step.MORE) {
            step = cleanup.step();
        }
        assertThat(step).isEqualTo(Step.COMPLETE);
    }
}
