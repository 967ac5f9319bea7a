package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.OutboxOperations;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which deliveries an operator can make due now. */
interface RetryNowContract extends OperationsContract {

    @Test
    default void a_waiting_delivery_is_made_due_and_keeps_its_attempts() {
        MessageHead head = publish();
        write(resolve(head, retry("A", HOUR)));
        assertThat(dueGroups()).isEmpty();
        try (OutboxOperations operations = operations()) {
            assertThat(operations.retryNow(head.id(), "B", ALICE)).isFalse();
            assertThat(audit(operations)).as("nothing was changed").isEmpty();
            assertThat(operations.retryNow(head.id(), "A", ALICE)).isTrue();
            assertThat(dueGroups()).containsExactly("A");
            assertThat(store().reads().waiting(LANE, "A", 10))
                    .extracting(WaitingDelivery::attempts)
                    .containsExactly(1);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::messageId)
                    .containsExactly(tuple("retry-now", "handler A", head.id()));
        }
    }

    @Test
    default void a_delivery_that_was_made_due_stays_due_if_the_decision_before_is_repeated() {
        MessageHead head = publish();
        LostAnswer decision = new LostAnswer(store(), lease(), resolve(head, retry("A", HOUR)), true);
        try (OutboxOperations operations = operations()) {
            assertThat(operations.retryNow(head.id(), "A", ALICE)).isTrue();
        }
        decision.repeat();
        assertThat(dueGroups()).containsExactly("A");
    }

    @Test
    default void a_delivery_that_waits_for_a_decision_on_its_dead_letter_is_not_retried() {
        MessageHead head = publish();
        write(resolve(head, blocked("A")));
        try (OutboxOperations operations = operations()) {
            assertThat(operations.retryNow(head.id(), "A", ALICE)).isFalse();
            assertThat(dueGroups()).isEmpty();
        }
    }

    @Test
    default void while_a_delivery_to_another_handler_runs_a_retry_waits_for_it() throws Exception {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", HOUR)));
        try (OutboxOperations operations = operations();
                StoreFixture.Delivery running = bench().begin()) {
            running.claim(split("A"));
            CompletableFuture<Boolean> retry =
                    CompletableFuture.supplyAsync(() -> operations.retryNow(head.id(), "B", ALICE));
            awaitLockWait(retry);
            running.rollback();
            assertThat(retry.get(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
    }

    @Test
    default void one_whose_message_stays_locked_is_refused_and_not_said_to_be_gone() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0), retry("B", HOUR)));
        try (OutboxOperations operations = operations();
                StoreFixture.Delivery running = bench().begin()) {
            running.claim(split("A"));
            for (String handler : List.of("A", "B")) {
                assertThatThrownBy(() -> operations.retryNow(head.id(), handler, ALICE))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.isRowLocked()).isTrue());
            }
        }
        assertThat(dueGroups()).containsExactly("A");
    }
}
