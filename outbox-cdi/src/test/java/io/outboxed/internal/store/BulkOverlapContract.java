package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.OperationRunningException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two operators do not start bulk operations on the same dead letters. */
interface BulkOverlapContract extends BulkFixture {

    @Test
    default void what_a_running_operation_may_select_is_left_to_it() {
        dieOfA(2);
        try (BulkNode node = bulkNode()) {
            BulkOperation running = node.start(BulkRequest.replay(OF_A.error("secret")));
            assertThatExceptionOfType(OperationRunningException.class)
                    .isThrownBy(() -> node.start(BulkRequest.discard(OF_A)))
                    .satisfies(refused -> {
                        assertThat(refused.operationId()).isEqualTo(running.id());
                        assertThat(refused).hasMessageContainingAll(running.id().toString(), "bob", "replay");
                        assertThat(refused.getMessage()).doesNotContain("secret");
                    });
            assertThat(node.bulk().list(10)).containsExactly(running);
            assertThat(node.audit()).as("nothing was started").hasSize(1);

            node.bulk().cancel(running.id(), BOB);
            BulkOperation next = node.start(BulkRequest.discard(OF_A));
            assertThat(node.workUntilItEnds(next).state()).isEqualTo(State.COMPLETE);
            assertThat(node.start(BulkRequest.discard(OF_A)).state()).isEqualTo(State.RUNNING);
        }
    }

    @Test
    default void operations_that_have_nothing_in_common_run_beside_each_other() {
        try (BulkNode node = bulkNode()) {
            BulkOperation first = node.start(BulkRequest.discard(OF_A));
            node.start(BulkRequest.discard(DeadLetterFilter.all().handler("B")));
            Instant bound = first.request().filter().diedUntil();
            node.start(BulkRequest.discard(OF_A.diedSince(bound)));
            assertThat(node.bulk().list(10)).hasSize(3);
        }
    }

    @Test
    default void of_operators_who_start_at_the_same_time_only_one_succeeds() throws Exception {
        try (BulkNode one = bulkNode();
                BulkNode other = bulkNode()) {
            for (int round = 0; round < 10; round++) {
                DeadLetterFilter same = DeadLetterFilter.all().handler("h" + round);
                List<CompletableFuture<Boolean>> starts = IntStream.range(0, 4)
                        .mapToObj(n -> JdbcContract.elsewhere(() -> isStarted(
                                n % 2 == 0 ? one : other,
                                n < 2 ? BulkRequest.discard(same) : BulkRequest.replay(same))))
                        .toList();
                int started = 0;
                for (CompletableFuture<Boolean> start : starts) {
                    started += JdbcContract.result(start) ? 1 : 0;
                }
                assertThat(started).as("round " + round).isOne();
            }
        }
    }

    private static boolean isStarted(BulkNode node, BulkRequest request) {
        try {
            node.start(request);
            return true;
        } catch (OperationRunningException e) {
            return false;
        }
    }
}
