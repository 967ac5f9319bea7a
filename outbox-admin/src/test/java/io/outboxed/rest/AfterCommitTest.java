package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.AggregateState.Cause;
import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.StoreException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A database that no longer answers once it has made a change: that request must not end with an error. */
class AfterCommitTest {
    private static final Attribution ALICE = Attribution.of("alice", "mail is back");
    private static final UUID ID = new UUID(7, 7);

    private boolean committed;

    @Test
    void a_retry_that_was_made_is_answered_without_asking_the_database_again() {
        Wait earlier = new Wait("mail", Cause.RETRY, new UUID(1, 1), "mail", 3, Instant.EPOCH, "no server");
        MessageResource messages = new MessageResource();
        messages.admin = until("retryNow", true, Optional.of(earlier));
        assertThat(messages.retried(ID, "mail", ALICE)).isEqualTo(new MessageResource.Retried(1, earlier));
    }

    @Test
    void a_cancel_that_was_made_is_answered_without_asking_the_database_again() {
        BulkOperation ended = new BulkOperation(
                ID,
                BulkRequest.discard(DeadLetterFilter.all()),
                ALICE,
                BulkOperation.State.CANCELLED,
                5,
                2,
                Instant.EPOCH,
                Instant.EPOCH);
        OperationsResource operations = new OperationsResource();
        operations.admin = until("cancel", Optional.of(ended), Optional.empty());
        assertThat(operations.cancelled(ID, ALICE)).isEqualTo(BulkView.Operation.of(ended));
    }

    private OutboxAdmin until(String change, Object changed, Object read) {
        return (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, arguments) -> {
                    if (committed) {
                        throw new StoreException("connecting to the database", true, null);
                    }
                    committed = method.getName().equals(change);
                    return committed ? changed : read;
                });
    }
}
