package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of an operator's changes while another transaction has locked the row of their shard. */
interface LockedShardContract extends BulkFixture, OperationsContract {

    /** All wait at the same time, each for as long as the database's lock timeout. */
    @Test
    default void changes_whose_shard_is_locked_fail_and_are_made_when_they_are_repeated() throws Exception {
        store().handlers().register(List.of(StoreContract.handler("order.placed", "B")));
        MessageHead waits = publish();
        write(resolve(publish(), blocked("A")), resolve(waits, retry("B", HOUR)));
        try (BulkNode node = bulkNode();
                OutboxOperations operations = operations();
                RetiredDeliveries deliveries = jdbc().retiredDeliveries()) {
            deliveries.retire("order.placed", "B", ChangeRecorder.NONE);
            RetiredDelivery retired = deliveries.find("B", null, 10).get(0);
            BulkOperation started = node.start(BulkRequest.replay(OF_A));
            try (JdbcDelivery frozen = jdbc().begin()) {
                frozen.read(jdbc().named("SELECT epoch FROM outbox_shard WHERE shard = " + SHARD + " FOR UPDATE"));
                CompletableFuture<?> bulk = elsewhere(() -> node.work(started));
                CompletableFuture<?> retry = elsewhere(() -> operations.retryNow(waits.id(), "B", ALICE));
                CompletableFuture<?> drop = elsewhere(() -> deliveries.drop(retired, ChangeRecorder.NONE));
                for (CompletableFuture<?> each : List.of(bulk, retry, drop)) {
                    assertThatThrownBy(() -> result(each))
                            .cause()
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    e -> assertThat(e.isRowLocked()).isTrue());
                }
            }
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::count)
                    .as("only the start of the operation")
                    .containsExactly(tuple("replay", 0L));
            BulkOperation ended = node.workUntilItEnds(started);
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isEqualTo(ended.matched()).isOne();
            assertThat(operations.retryNow(waits.id(), "B", ALICE)).isTrue();
            assertThat(dueGroups()).containsExactlyInAnyOrder("A", "B");
            assertThat(deliveries.drop(retired, ChangeRecorder.NONE)).isEqualTo(RetiredDeliveries.Result.DROPPED);
        }
        assertThat(dueGroups()).containsExactly("A");
    }
}
