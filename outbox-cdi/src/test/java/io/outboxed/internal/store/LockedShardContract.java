package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.database.StoreException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of an operator's changes while another transaction has locked the row of their shard. */
interface LockedShardContract extends BulkFixture {

    /** All wait at the same time, each for as long as the database's lock timeout. */
    @Test
    default void changes_whose_shard_is_locked_fail_and_are_made_when_they_are_repeated() throws Exception {
        write(resolve(publish(), blocked("A")));
        try (BulkNode node = bulkNode()) {
            BulkOperation started = node.start(BulkRequest.replay(OF_A));
            try (JdbcDelivery frozen = jdbc().begin()) {
                frozen.read(jdbc().named("SELECT epoch FROM outbox_shard WHERE shard = " + SHARD + " FOR UPDATE"));
                CompletableFuture<?> bulk = elsewhere(() -> node.work(started));
                for (CompletableFuture<?> each : List.<CompletableFuture<?>>of(bulk)) {
                    assertThatThrownBy(() -> result(each))
                            .cause()
                            .isInstanceOfSatisfying(
                                    StoreException.class,
                                    e -> assertThat(e.isRowLocked()).isTrue());
                }
            }
            BulkOperation ended = node.workUntilItEnds(started);
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isEqualTo(ended.matched()).isOne();
        }
        assertThat(dueGroups()).containsExactly("A");
    }
}
