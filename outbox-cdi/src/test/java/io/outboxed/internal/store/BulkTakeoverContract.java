package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each dead letter is changed and counted once, whatever happens to the nodes that work on an operation. */
interface BulkTakeoverContract extends BulkFixture {

    @Test
    default void another_node_continues_where_one_has_died_between_two_changes() {
        dieOfA(5);
        AtomicInteger changes = new AtomicInteger();
        BulkOperation started;
        try (BulkNode dying = bulkNode(discarded -> {
            if (changes.incrementAndGet() == 2) {
                throw new IllegalStateException("killed");
            }
        })) {
            started = dying.start(BulkRequest.discard(OF_A));
            assertThatThrownBy(() -> dying.work(started)).hasMessage("killed");
        }
        allAreChangedOnce(started);
    }

    /** Whether a lost transaction was committed is unknown. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void another_node_continues_where_one_has_died_in_a_transaction(boolean committed) throws Exception {
        dieOfA(5);
        BulkOperation started;
        try (BulkNode operator = bulkNode()) {
            started = operator.start(BulkRequest.discard(OF_A));
        }
        try (BulkNode dying = new BulkNode(jdbc(), new LostAtCommit(jdbc().source(), 3, committed), discarded -> {})) {
            assertThatThrownBy(() -> dying.work(started)).isInstanceOf(RuntimeException.class);
        }
        allAreChangedOnce(started);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void a_node_continues_after_an_outage_in_the_middle_of_a_transaction(boolean committed) {
        dieOfA(5);
        LostAtCommit source = new LostAtCommit(jdbc().source(), 4, committed);
        BulkOperation started;
        try (BulkNode node = new BulkNode(jdbc(), source, discarded -> {})) {
            started = node.start(BulkRequest.discard(OF_A));
            assertThatThrownBy(() -> node.work(started)).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> node.work(started)).isInstanceOf(RuntimeException.class);
            source.restart();
            assertThat(node.workUntilItEnds(started).changed()).isEqualTo(5);
        }
        allAreChangedOnce(started);
    }

    private void allAreChangedOnce(BulkOperation started) {
        try (BulkNode next = bulkNode()) {
            BulkOperation ended = next.workUntilItEnds(started);
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isEqualTo(5);
            assertThat(next.deadLetters().count(OF_A)).isZero();
            assertThat(next.audit())
                    .filteredOn(entry -> entry.messageId() != null)
                    .hasSize(5);
            assertThat(next.audit())
                    .filteredOn(entry -> entry.messageId() == null)
                    .extracting(AuditEntry::count)
                    .containsExactly(5L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void another_node_continues_a_retry_where_one_has_died_in_a_transaction(boolean committed)
            throws Exception {
        waitOfA(5);
        BulkOperation started;
        try (BulkNode operator = bulkNode()) {
            started = operator.start(BulkRequest.retry(WAITS_FOR_A));
        }
        try (BulkNode dying = new BulkNode(jdbc(), new LostAtCommit(jdbc().source(), 3, committed), discarded -> {})) {
            assertThatThrownBy(() -> dying.work(started)).isInstanceOf(RuntimeException.class);
        }
        allAreRetriedOnce(started, 5);
    }

    @Test
    default void a_delivery_that_fails_again_is_not_retried_twice_by_the_node_that_continues() throws Exception {
        waitOfA(5);
        BulkOperation started;
        try (BulkNode operator = bulkNode()) {
            started = operator.start(BulkRequest.retry(WAITS_FOR_A));
        }
        try (BulkNode dying = new BulkNode(jdbc(), new LostAtCommit(jdbc().source(), 3, false), discarded -> {})) {
            assertThatThrownBy(() -> dying.work(started)).isInstanceOf(RuntimeException.class);
        }
        assertThat(failAgain(started)).isEqualTo(2);
        try (BulkNode next = bulkNode()) {
            assertThat(next.workUntilItEnds(started).changed()).isEqualTo(5);
        }
        assertThat(failAgain(started)).isEqualTo(3);
    }

    @Test
    default void a_node_that_stood_still_retries_nothing_again_and_takes_no_position_back() throws Exception {
        waitOfA(30);
        try (BulkNode other = bulkNode()) {
            BulkOperation started = other.start(BulkRequest.retry(WAITS_FOR_A).perSecond(20));
            Runnable goesOn = () -> {
                assertThat(other.work(started).changed()).isEqualTo(5 + 20);
                assertThat(failAgain(started)).isEqualTo(5 + 20);
            };
            try (BulkNode frozen =
                    new BulkNode(jdbc(), new PausedAfterCommit(jdbc().source(), 5, goesOn), discarded -> {})) {
                assertThat(frozen.work(started).changed()).isEqualTo(5 + 20);
            }
            assertThat(other.workUntilItEnds(started).changed()).isEqualTo(30);
            assertThat(failAgain(started)).isEqualTo(5);
        }
    }

    /** @return how many had their turn since the last time */
    private int failAgain(BulkOperation started) {
        long again = started.startedAt().plusSeconds(86_400).toEpochMilli() * 1_000;
        long turn = started.startedAt().plusSeconds(1_800).toEpochMilli() * 1_000;
        try {
            return jdbc().run("UPDATE outbox_delivery SET due_at = " + again + " WHERE due_at < " + turn);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void two_nodes_that_work_on_one_retry_count_each_delivery_once() throws Exception {
        waitOfA(30);
        try (BulkNode one = bulkNode();
                BulkNode other = bulkNode()) {
            BulkOperation started = one.start(BulkRequest.retry(WAITS_FOR_A).perSecond(1_000));
            List<CompletableFuture<BulkOperation>> works = List.of(
                    JdbcContract.elsewhere(() -> one.workUntilItEnds(started)),
                    JdbcContract.elsewhere(() -> other.workUntilItEnds(started)));
            for (CompletableFuture<BulkOperation> work : works) {
                assertThat(JdbcContract.result(work).state()).isEqualTo(State.COMPLETE);
            }
            allAreRetriedOnce(started, 30);
        }
    }

    private void allAreRetriedOnce(BulkOperation started, int deliveries) throws SQLException {
        try (BulkNode next = bulkNode()) {
            BulkOperation ended = next.workUntilItEnds(started);
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isEqualTo(ended.matched()).isEqualTo(deliveries);
            assertThat(next.audit()).extracting(AuditEntry::count).containsExactly((long) deliveries);
            assertThat(jdbc().run("UPDATE outbox_delivery SET due_at = 1 WHERE due_at > "
                            + started.startedAt().plusSeconds(1_800).toEpochMilli() * 1_000))
                    .as("not due yet")
                    .isZero();
        }
    }

    @Test
    default void two_nodes_that_work_on_one_operation_change_each_dead_letter_once() throws Exception {
        dieOfA(30);
        try (BulkNode one = bulkNode();
                BulkNode other = bulkNode()) {
            BulkOperation started =
                    one.start(BulkRequest.replay(OF_A).allowReordering(true).perSecond(1_000));
            List<CompletableFuture<BulkOperation>> works = List.of(
                    JdbcContract.elsewhere(() -> one.workUntilItEnds(started)),
                    JdbcContract.elsewhere(() -> other.workUntilItEnds(started)));
            for (CompletableFuture<BulkOperation> work : works) {
                assertThat(JdbcContract.result(work).state()).isEqualTo(State.COMPLETE);
            }
            assertThat(one.bulk().find(started.id()).orElseThrow().changed()).isEqualTo(30);
            assertThat(ready()).hasSize(30);
        }
    }
}
