package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetter;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.database.WatchedConnection;
import io.outboxed.internal.metrics.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which dead letters a bulk operation changes, how fast, and what it reports. */
interface BulkChangesContract extends BulkFixture {

    @Test
    default void an_operation_changes_so_many_in_a_second_and_nothing_that_dies_after_its_start() {
        dieOfA(5);
        write(resolve(publish(), dead("B")));
        try (BulkNode node = bulkNode()) {
            BulkOperation started =
                    node.start(BulkRequest.replay(OF_A).allowReordering(true).perSecond(2));
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
            assertThat(node.deadLetters().count(DeadLetterFilter.all())).isEqualTo(2);
            assertThat(ready())
                    .hasSize(5)
                    .allSatisfy(head -> assertThat(head.onlyHandler()).isEqualTo("A"));
            assertThat(node.audit())
                    .extracting(AuditEntry::action, AuditEntry::attribution, AuditEntry::count)
                    .containsExactly(tuple("replay", BOB, 5L));
        }
    }

    /** Each wait would be as long as the database's lock timeout. */
    @Test
    default void of_many_retries_those_whose_events_are_locked_are_waited_for_only_once_and_named() {
        List<MessageHead> locked = List.of(publish(), publish(), publish());
        MessageHead free = publish();
        locked.forEach(head -> write(resolve(head, retry("A", HOUR))));
        write(resolve(free, retry("A", HOUR)));
        RecordedStatements statements = new RecordedStatements(jdbc().source());
        try (BulkNode node = new BulkNode(jdbc(), statements, discarded -> {});
                StoreFixture.Delivery running = bench().begin();
                CapturedLog log = new CapturedLog()) {
            locked.forEach(head -> running.claim(head.withVersion(head.version() + 1)));
            BulkOperation ended = node.workUntilItEnds(node.start(BulkRequest.retry(WAITS_FOR_A)));
            assertThat(statements.count(jdbc().waitForMessage())).isOne();
            assertThat(ended.changed()).isOne();
            assertThat(log.lines.stream().filter(line -> line.contains("OUTBOX-0479")))
                    .hasSize(3);
        }
    }

    @Test
    default void each_discard_is_in_the_audit_and_is_reported() {
        dieOfA(3);
        List<DeadLetter> discarded = new ArrayList<>();
        try (BulkNode node = bulkNode(discarded::add)) {
            BulkOperation ended = node.workUntilItEnds(node.start(BulkRequest.discard(OF_A)));
            assertThat(ended.changed()).isEqualTo(3);
            assertThat(discarded).hasSize(3);
            assertThat(node.deadLetters().count(DeadLetterFilter.all())).isZero();
            assertThat(node.audit())
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::count)
                    .contains(tuple("discard", "handler A", 1L))
                    .hasSize(4);
            assertThat(store().statistics().operatorChanges())
                    .as("the operation's own row is not counted")
                    .isEqualTo(Map.of("discard", 3L));
        }
    }

    @Test
    default void a_replay_without_consent_leaves_alone_what_would_break_the_order() {
        write(resolve(publish(), dead("A")), resolve(publish(), blocked("B")));
        try (BulkNode node = bulkNode()) {
            BulkOperation ended = node.workUntilItEnds(node.start(BulkRequest.replay(DeadLetterFilter.all())));
            assertThat(ended.matched()).isEqualTo(2);
            assertThat(ended.changed()).isOne();
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(node.deadLetters().find(DeadLetterFilter.all(), null, 10))
                    .extracting(DeadLetter::handler)
                    .containsExactly("A");
        }
    }

    @Test
    default void a_replay_without_consent_changes_what_has_no_aggregate() throws Exception {
        dieOfA(2);
        jdbc().run("UPDATE outbox_dead SET aggregate_id = ''");
        try (BulkNode node = bulkNode()) {
            BulkOperation ended = node.workUntilItEnds(node.start(BulkRequest.replay(OF_A)));
            assertThat(ended.changed()).isEqualTo(2);
            assertThat(node.deadLetters().count(OF_A)).isZero();
        }
    }

    @Test
    default void a_replay_without_consent_leaves_alone_what_has_lost_its_place() throws Exception {
        write(resolve(publish(), blocked("A")));
        jdbc().run("DELETE FROM outbox_message");
        try (BulkNode node = bulkNode()) {
            BulkOperation ended = node.workUntilItEnds(node.start(BulkRequest.replay(OF_A)));
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isZero();
            assertThat(node.deadLetters().count(OF_A)).isOne();
        }
    }

    @Test
    default void an_operation_leaves_alone_what_dies_again_before_its_turn() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(resolve(first, dead("A")), resolve(second, dead("A")));
        try (BulkNode operator = bulkNode();
                BulkNode node = bulkNode(discarded -> {
                    Unrecorded.replay(operator.deadLetters(), second.id(), "A");
                    write(resolve(ready().get(0), dead("A")));
                })) {
            BulkOperation ended = node.workUntilItEnds(operator.start(BulkRequest.discard(OF_A)));
            assertThat(ended.state()).isEqualTo(State.COMPLETE);
            assertThat(ended.changed()).isOne();
            assertThat(operator.deadLetters().find(DeadLetterFilter.all(), null, 10))
                    .extracting(DeadLetter::messageId)
                    .containsExactly(second.id());
        }
    }

    /** An operator has to find it, and to remove what refuses its change: a trigger, for example. */
    @Test
    default void what_an_operation_stands_still_on_is_named() {
        dieOfA(1);
        MessageHead last = publish();
        write(resolve(last, dead("A")));
        try (BulkNode node = refusingFromTheSecond("DELETE FROM " + jdbc().prefix() + "dead ")) {
            BulkOperation started = node.start(BulkRequest.discard(OF_A));
            assertThatThrownBy(() -> node.work(started))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("the dead letter of handler A and message " + last.id() + ": DELETE ")
                    .hasMessageContaining("vendor code 1644")
                    .matches(e -> !((StoreException) e).isTransient());
            assertThat(node.bulk().find(started.id()).orElseThrow().changed()).isOne();
        }
    }

    @Test
    default void so_is_what_a_retry_of_many_stands_still_on() {
        waitOfA(1);
        MessageHead last = publish();
        write(resolve(last, retry("A", HOUR)));
        try (BulkNode node = refusingFromTheSecond("UPDATE " + jdbc().prefix() + "delivery SET due_at ")) {
            BulkOperation started = node.start(BulkRequest.retry(WAITS_FOR_A));
            assertThatThrownBy(() -> node.work(started))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith("the delivery of message " + last.id() + " to handler A: UPDATE ");
        }
    }

    /** A node whose database refuses the second of these statements, and all later ones. */
    private BulkNode refusingFromTheSecond(String beginning) {
        AtomicInteger prepared = new AtomicInteger();
        return new BulkNode(
                jdbc(),
                () -> {
                    Connection real = jdbc().source().open();
                    return WatchedConnection.of(real, call -> {
                        if (call.prepared().startsWith(beginning) && prepared.incrementAndGet() > 1) {
                            throw new SQLException("a trigger refuses it", "45000", 1644);
                        }
                        return call.proceed();
                    });
                },
                discarded -> {});
    }

    @Test
    default void an_operation_that_fails_does_not_hold_up_another_one() {
        dieOfA(1);
        write(resolve(publish(), dead("B")));
        try (BulkNode node = bulkNode(discarded -> {
            if (discarded.handler().equals("A")) {
                throw new IllegalStateException("boom");
            }
        })) {
            node.start(BulkRequest.discard(OF_A));
            BulkOperation other =
                    node.start(BulkRequest.discard(DeadLetterFilter.all().handler("B")));
            assertThatThrownBy(() -> node.work(other)).hasMessage("boom");
            assertThat(node.bulk().find(other.id()).orElseThrow().changed()).isOne();
        }
    }
}
