package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.operations.BulkRunner;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk operations, and that each dead letter is changed and counted once whatever happens to the nodes. */
interface BulkContract extends JdbcContract {
    Attribution BOB = new Attribution("bob", "rest", "mail server is back");
    Filter OF_A = Filter.all().handler("A");

    /** A node that works on operations, with connections of its own. */
    final class Node implements AutoCloseable {
        final OutboxOperations operations;
        private final Connections lasting;
        private final BulkRunner runner;

        Node(JdbcFixture jdbc, ConnectionSource source, Consumer<DeadLetter> discarded) {
            this.operations = OutboxOperations.open(source, jdbc.prefix());
            this.lasting = new Connections(source, jdbc.dialect(), 1);
            this.runner = operations.bulkRunner(lasting, discarded);
        }

        /** @return how it is afterwards */
        BulkOperation work(BulkOperation operation) {
            runner.work();
            return operations.bulk().find(operation.id()).orElseThrow();
        }

        BulkOperation workUntilItEnds(BulkOperation operation) {
            BulkOperation now = operation;
            for (int i = 0; i < 100 && now.state() == State.RUNNING; i++) {
                now = work(operation);
            }
            return now;
        }

        @Override
        public void close() {
            lasting.close();
            operations.close();
        }
    }

    private Node node() {
        return node(discarded -> {});
    }

    private Node node(Consumer<DeadLetter> discarded) {
        return new Node(jdbc(), jdbc().source(), discarded);
    }

    private void dieOfA(int letters) {
        for (int i = 0; i < letters; i++) {
            write(resolve(publish(), dead("A")));
        }
    }

    private static List<AuditEntry> audit(Node node) {
        return node.operations.audit().list(null, 1_000);
    }

    // ---- what it changes ----

    @Test
    default void an_operation_changes_so_many_in_a_second_and_nothing_that_dies_after_its_start() {
        dieOfA(5);
        write(resolve(publish(), dead("B")));
        try (Node node = node()) {
            BulkOperation started = node.operations
                    .bulk()
                    .start(BulkRequest.replay(OF_A).accepting(true).perSecond(2), BOB);
            assertThat(started.state()).isEqualTo(State.RUNNING);
            assertThat(started.matched()).isEqualTo(5);
            assertThat(started.endedAt()).isNull();
            dieOfA(1);

            assertThat(node.work(started).changed()).isEqualTo(2);
            assertThat(node.work(started).changed()).isEqualTo(4);
            BulkOperation ended = node.workUntilItEnds(started);
            assertThat(ended.changed()).isEqualTo(5);
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.endedAt()).isAfterOrEqualTo(ended.startedAt());
            assertThat(node.operations.deadLetters().count(Filter.all())).isEqualTo(2);
            assertThat(ready())
                    .hasSize(5)
                    .allSatisfy(head -> assertThat(head.onlyHandler()).isEqualTo("A"));
            assertThat(audit(node))
                    .extracting(AuditEntry::action, AuditEntry::attribution, AuditEntry::count)
                    .containsExactly(tuple("replay", BOB, 5L));
        }
    }

    @Test
    default void each_discard_is_in_the_audit_and_is_reported() {
        dieOfA(3);
        List<DeadLetter> discarded = new ArrayList<>();
        try (Node node = node(discarded::add)) {
            BulkOperation ended = node.workUntilItEnds(node.operations.bulk().start(BulkRequest.discard(OF_A), BOB));
            assertThat(ended.changed()).isEqualTo(3);
            assertThat(discarded).hasSize(3);
            assertThat(node.operations.deadLetters().count(Filter.all())).isZero();
            assertThat(audit(node))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::count)
                    .contains(tuple("discard", "handler A", 1L))
                    .hasSize(4);
        }
    }

    @Test
    default void a_replay_without_consent_leaves_alone_what_would_break_the_order() {
        write(resolve(publish(), dead("A")), resolve(publish(), blocked("B")));
        try (Node node = node()) {
            BulkOperation ended =
                    node.workUntilItEnds(node.operations.bulk().start(BulkRequest.replay(Filter.all()), BOB));
            assertThat(ended.matched()).isEqualTo(2);
            assertThat(ended.changed()).isOne();
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(node.operations.deadLetters().find(Filter.all(), null, 10))
                    .extracting(DeadLetter::handler)
                    .containsExactly("A");
        }
    }

    @Test
    default void an_operation_leaves_alone_what_dies_again_before_its_turn() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, dead("A")), resolve(second, dead("A")));
        try (Node operator = node();
                Node node = node(discarded -> {
                    operator.operations.deadLetters().replay(second.id(), "A");
                    write(resolve(ready().get(0), dead("A")));
                })) {
            BulkOperation ended =
                    node.workUntilItEnds(operator.operations.bulk().start(BulkRequest.discard(OF_A), BOB));
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isOne();
            assertThat(operator.operations.deadLetters().find(Filter.all(), null, 10))
                    .extracting(DeadLetter::messageId)
                    .containsExactly(second.id());
        }
    }

    @Test
    default void an_operation_that_fails_does_not_hold_up_another_one() {
        dieOfA(1);
        write(resolve(publish(), dead("B")));
        try (Node node = node(discarded -> {
            if (discarded.handler().equals("A")) {
                throw new IllegalStateException("boom");
            }
        })) {
            node.operations.bulk().start(BulkRequest.discard(OF_A), BOB);
            BulkOperation other = node.operations
                    .bulk()
                    .start(BulkRequest.discard(Filter.all().handler("B")), BOB);
            assertThatThrownBy(() -> node.work(other)).hasMessage("boom");
            assertThat(node.operations.bulk().find(other.id()).orElseThrow().changed())
                    .isOne();
        }
    }

    // ---- cancel ----

    @Test
    default void a_cancelled_operation_changes_nothing_more() {
        dieOfA(5);
        try (Node node = node()) {
            BulkOperation started = node.operations
                    .bulk()
                    .start(BulkRequest.replay(OF_A).accepting(true).perSecond(2), BOB);
            node.work(started);
            assertThat(node.operations.bulk().cancel(started.id(), BOB)).isTrue();
            assertThat(node.operations.bulk().cancel(started.id(), BOB)).isFalse();
            assertThat(node.operations.bulk().cancel(UUID.randomUUID(), BOB)).isFalse();

            BulkOperation cancelled = node.work(started);
            assertThat(cancelled.state()).isEqualTo(State.CANCELLED);
            assertThat(cancelled.changed()).isEqualTo(2);
            assertThat(node.operations.deadLetters().count(OF_A)).isEqualTo(3);
            assertThat(audit(node))
                    .extracting(AuditEntry::action, AuditEntry::target)
                    .contains(tuple("cancel", "operation " + started.id()));
        }
    }

    @Test
    default void a_cancel_takes_effect_between_two_changes() {
        dieOfA(5);
        AtomicInteger changes = new AtomicInteger();
        try (Node operator = node()) {
            BulkOperation started = operator.operations.bulk().start(BulkRequest.discard(OF_A), BOB);
            try (Node node = node(discarded -> {
                if (changes.incrementAndGet() == 2) {
                    operator.operations.bulk().cancel(started.id(), BOB);
                }
            })) {
                assertThat(node.work(started).changed()).isEqualTo(2);
            }
            assertThat(operator.operations.deadLetters().count(OF_A)).isEqualTo(3);
        }
    }

    // ---- nodes that die ----

    @Test
    default void another_node_continues_where_one_has_died_between_two_changes() {
        dieOfA(5);
        AtomicInteger changes = new AtomicInteger();
        BulkOperation started;
        try (Node dying = node(discarded -> {
            if (changes.incrementAndGet() == 2) {
                throw new IllegalStateException("killed");
            }
        })) {
            started = dying.operations.bulk().start(BulkRequest.discard(OF_A), BOB);
            assertThatThrownBy(() -> dying.work(started)).hasMessage("killed");
        }
        allAreChangedOnce(started);
    }

    /** Of a transaction that is lost, nobody knows whether it was committed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void another_node_continues_where_one_has_died_in_a_transaction(boolean committed) throws Exception {
        dieOfA(5);
        BulkOperation started;
        try (Node operator = node()) {
            started = operator.operations.bulk().start(BulkRequest.discard(OF_A), BOB);
        }
        try (Node dying = new Node(jdbc(), new LostAtCommit(jdbc().source(), 3, committed), discarded -> {})) {
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
        try (Node node = new Node(jdbc(), source, discarded -> {})) {
            started = node.operations.bulk().start(BulkRequest.discard(OF_A), BOB);
            assertThatThrownBy(() -> node.work(started)).isInstanceOf(RuntimeException.class);
            assertThatThrownBy(() -> node.work(started)).isInstanceOf(RuntimeException.class);
            source.restart();
            assertThat(node.workUntilItEnds(started).changed()).isEqualTo(5);
        }
        allAreChangedOnce(started);
    }

    private void allAreChangedOnce(BulkOperation started) {
        try (Node next = node()) {
            BulkOperation ended = next.workUntilItEnds(started);
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isEqualTo(5);
            assertThat(next.operations.deadLetters().count(OF_A)).isZero();
            assertThat(audit(next))
                    .filteredOn(entry -> entry.messageId() != null)
                    .hasSize(5);
            assertThat(audit(next))
                    .filteredOn(entry -> entry.messageId() == null)
                    .extracting(AuditEntry::count)
                    .containsExactly(5L);
        }
    }

    @Test
    default void two_nodes_that_work_on_one_operation_change_each_dead_letter_once() throws Exception {
        dieOfA(30);
        try (Node one = node();
                Node other = node()) {
            BulkOperation started = one.operations
                    .bulk()
                    .start(BulkRequest.replay(OF_A).accepting(true).perSecond(1_000), BOB);
            List<CompletableFuture<BulkOperation>> works = List.of(
                    JdbcContract.elsewhere(() -> one.workUntilItEnds(started)),
                    JdbcContract.elsewhere(() -> other.workUntilItEnds(started)));
            for (CompletableFuture<BulkOperation> work : works) {
                assertThat(JdbcContract.result(work).state()).isEqualTo(State.COMPLETE);
            }
            assertThat(one.operations.bulk().find(started.id()).orElseThrow().changed())
                    .isEqualTo(30);
            assertThat(ready()).hasSize(30);
        }
    }

    // ---- what is stored ----

    @Test
    default void a_stored_request_comes_back_as_it_was_with_a_bound() {
        Instant since = Instant.parse("2026-01-31T12:00:00.000001Z");
        Filter narrow = new Filter(
                new UUID(1, 2), "A", "order.placed", "order", "o-7 \u00e9", "boom %_'\"", since, Instant.MAX, true);
        try (Node node = node()) {
            BulkOperation first =
                    node.operations.bulk().start(new BulkRequest(BulkRequest.Kind.REPLAY, narrow, true, 7), BOB);
            BulkOperation second = node.operations.bulk().start(BulkRequest.discard(Filter.all()), BOB);

            assertThat(node.operations.bulk().find(first.id())).contains(first);
            assertThat(first.request())
                    .isEqualTo(new BulkRequest(
                            BulkRequest.Kind.REPLAY,
                            narrow.diedUntil(first.request().filter().diedUntil()),
                            true,
                            7));
            assertThat(first.request().filter().diedUntil()).isBeforeOrEqualTo(first.startedAt());
            assertThat(first.attribution()).isEqualTo(BOB);
            assertThat(second.request().filter().diedUntil(null)).isEqualTo(Filter.all());
            node.operations.bulk().cancel(first.id(), BOB);
            assertThat(node.operations.bulk().list(10))
                    .extracting(BulkOperation::id)
                    .as("what is running comes first")
                    .containsExactly(second.id(), first.id());
            assertThat(node.operations.bulk().list(1)).hasSize(1);
            assertThat(node.operations.bulk().find(UUID.randomUUID())).isEmpty();
        }
    }

    @Test
    default void an_operation_is_deleted_some_time_after_its_end_and_not_before() {
        try (Node node = node()) {
            BulkOperation ended = node.operations.bulk().start(BulkRequest.discard(OF_A), BOB);
            node.operations.bulk().cancel(ended.id(), BOB);
            BulkOperation running = node.operations.bulk().start(BulkRequest.discard(OF_A), BOB);

            RetentionPolicy old = RetentionPolicy.keepAll().with(AgedTable.OPERATIONS, Duration.ofDays(1));
            node.operations.oldRows().delete(old, (pass, took) -> {});
            assertThat(node.operations.bulk().list(10)).hasSize(2);
            RetentionPolicy all = old.with(AgedTable.OPERATIONS, Duration.ZERO);
            node.operations.oldRows().delete(all, (pass, took) -> {});
            assertThat(node.operations.bulk().list(10)).containsExactly(running);
        }
    }
}
