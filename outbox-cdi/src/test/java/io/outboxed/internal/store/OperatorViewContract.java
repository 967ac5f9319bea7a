package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.laneOf;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetter;
import io.outboxed.admin.AggregateState.Cause;
import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.ShardStatus;
import io.outboxed.admin.StoredEvent;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.operations.WaitingPosition;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an operator sees of events, aggregates, failures, shards and handlers. */
interface OperatorViewContract extends OperationsContract {

    @Test
    default void what_waits_is_found_page_by_page_and_by_time() {
        List<MessageHead> heads = List.of(publish(), publish(), publish());
        heads.forEach(head -> write(resolve(head, retry("A", HOUR), retry("B", HOUR))));
        try (OutboxOperations operations = operations()) {
            WaitingFilter all = WaitingFilter.in(WaitingState.WAITING);
            List<WaitingItem> found = new ArrayList<>();
            WaitingPosition after = null;
            for (List<WaitingItem> page;
                    !(page = operations.messages().page(all, after, 4).items()).isEmpty(); ) {
                found.addAll(page);
                after = WaitingPosition.of(
                        WaitingPosition.of(page.get(page.size() - 1)).text());
            }
            assertThat(found).hasSize(6).doesNotHaveDuplicates();
            Instant second = found.get(2).createdAt();
            List<WaitingItem> since = operations
                    .messages()
                    .page(all.createdSince(second), null, 10)
                    .items();
            assertThat(since)
                    .allSatisfy(item -> assertThat(item.createdAt()).isAfterOrEqualTo(second))
                    .hasSizeGreaterThanOrEqualTo(4);
            assertThat(operations
                            .messages()
                            .page(all.createdUntil(second), null, 10)
                            .items())
                    .allSatisfy(item -> assertThat(item.createdAt()).isBefore(second))
                    .hasSize(6 - since.size());
            assertThat(operations
                            .messages()
                            .page(all.createdUntil(found.get(5).createdAt().plusMillis(1)), null, 10)
                            .items())
                    .hasSize(6);
            assertThat(operations
                            .messages()
                            .page(all.createdSince(Instant.MIN).createdUntil(Instant.MAX), null, 10)
                            .items())
                    .hasSize(6);
            assertThat(operations
                            .messages()
                            .page(all.handler("B").error("boom"), null, 10)
                            .items())
                    .hasSize(3);
            StoredEvent event = operations.event(heads.get(0).id());
            assertThat(event.messages())
                    .extracting(StoredEvent.Message::state)
                    .containsExactly(StoredEvent.MessageState.SPLIT);
            assertThat(event.deliveries())
                    .extracting(StoredEvent.Delivery::handler, StoredEvent.Delivery::state)
                    .containsExactly(
                            tuple("A", StoredEvent.DeliveryState.WAITING),
                            tuple("B", StoredEvent.DeliveryState.WAITING));
        }
    }

    @Test
    default void an_event_that_is_given_up_between_two_reads_is_found() throws SQLException {
        MessageHead head = publish();
        AtomicInteger reads = new AtomicInteger();
        RecordedStatements givenUpMeanwhile = new RecordedStatements(jdbc().source(), statement -> {
            if (statement.contains(jdbc().named("FROM outbox_message")) && reads.incrementAndGet() == 1) {
                write(resolve(head, dead("A")));
            }
        });
        try (OutboxOperations operations = OutboxOperations.open(givenUpMeanwhile, jdbc().prefix())) {
            assertThat(reads).hasValue(0);
            assertThat(operations.event(head.id()).deadLetters())
                    .extracting(DeadLetter::handler)
                    .containsExactly("A");
            assertThat(reads).hasPositiveValue();
        }
    }

    @Test
    default void it_is_shown_what_holds_up_an_aggregate() throws SQLException {
        MessageHead first = publish();
        MessageHead second = publish();
        write(
                resolve(first, retry("A", HOUR), blocked("B"), retry("C", HOUR), retry(LaneWait.NO_HANDLER, HOUR)),
                resolve(second, retry("A", 0)));
        moveTo("order", "o-7");
        try (OutboxOperations operations = operations()) {
            assertThat(operations.aggregates().of("order", "other").waits()).isEmpty();
            operations.pauses().pause(PauseTarget.handler("C"), ALICE);
            var state = operations.aggregates().of("order", "o-7");
            assertThat(state.messages()).isEqualTo(2);
            assertThat(state.waits())
                    .extracting(Wait::group, Wait::cause, Wait::messageId)
                    .containsExactlyInAnyOrder(
                            tuple("A", Cause.RETRY, first.id()),
                            tuple("B", Cause.DEAD_LETTER, first.id()),
                            tuple("C", Cause.PAUSE, first.id()),
                            tuple(null, Cause.NO_HANDLER, first.id()));
        }
    }

    private void moveTo(String aggregateType, String aggregateId) throws SQLException {
        long lane = LaneHash.lane(aggregateType, aggregateId);
        for (String table : List.of("message", "delivery", "lane")) {
            jdbc().run("UPDATE outbox_" + table + " SET lane = ? WHERE lane = ?", lane, LANE);
        }
    }

    private static Resolution retryIn(String group, String handler, long delay) {
        return new Resolution.Retry(handler, group, 1, "boom", delay);
    }

    @Test
    default void of_two_handlers_of_a_group_a_blocked_one_is_not_what_their_aggregate_waits_for() throws SQLException {
        MessageHead first = publish();
        write(resolve(
                first,
                new Resolution.Blocked("confirm", "ConfirmDied", 3, "boom"),
                retryIn("ConfirmDied", "invoice", HOUR),
                retryIn("InvoiceDied", "confirm2", HOUR),
                new Resolution.Blocked("invoice2", "InvoiceDied", 3, "boom"),
                retryIn("BothWait", "confirm3", 2 * HOUR),
                retryIn("BothWait", "invoice3", HOUR),
                retryIn("BothWaitToo", "confirm4", HOUR),
                retryIn("BothWaitToo", "invoice4", 2 * HOUR)));
        moveTo("order", "o-7");
        try (OutboxOperations operations = operations()) {
            assertThat(operations.aggregates().of("order", "o-7").waits())
                    .extracting(Wait::group, Wait::cause, Wait::handler)
                    .containsExactlyInAnyOrder(
                            tuple("ConfirmDied", Cause.RETRY, "invoice"),
                            tuple("InvoiceDied", Cause.RETRY, "confirm2"),
                            tuple("BothWait", Cause.RETRY, "invoice3"),
                            tuple("BothWaitToo", Cause.RETRY, "confirm4"));
        }
    }

    @Test
    default void of_two_handlers_of_a_group_the_paused_one_is_held_up_by_its_pause() {
        MessageHead first = publish();
        MessageHead second = publish();
        write(
                resolve(first, retryIn("Mails", "confirm", HOUR), retryIn("Mails", "invoice", 2 * HOUR)),
                resolve(second, retryIn("Mails", "confirm", 0), retryIn("Mails", "invoice", 0)));
        try (OutboxOperations operations = operations()) {
            for (String paused : List.of("confirm", "invoice")) {
                operations.pauses().pause(PauseTarget.handler(paused), ALICE);
                for (String handler : List.of("confirm", "invoice")) {
                    Optional<Wait> held = operations.aggregates().heldUpBy(first.id(), handler);
                    if (handler.equals(paused)) {
                        assertThat(held)
                                .hasValueSatisfying(wait -> assertThat(wait)
                                        .extracting(Wait::cause, Wait::messageId, Wait::handler)
                                        .containsExactly(Cause.PAUSE, first.id(), paused));
                    } else {
                        assertThat(held).as(handler).isEmpty();
                    }
                }
                operations.pauses().resume(PauseTarget.handler(paused), ALICE);
            }
            assertThat(operations.aggregates().heldUpBy(second.id(), "invoice"))
                    .hasValueSatisfying(wait -> assertThat(wait)
                            .extracting(Wait::cause, Wait::messageId, Wait::handler)
                            .containsExactly(Cause.RETRY, first.id(), "confirm"));
        }
    }

    /** Its turn may come first, and then it stops their lane until the resume. */
    @Test
    default void a_handler_is_held_up_by_the_pause_of_another_one_of_its_group_that_is_due() {
        MessageHead first = publish();
        write(resolve(first, retryIn("Mails", "confirm", 0), retryIn("Mails", "invoice", HOUR)));
        try (OutboxOperations operations = operations()) {
            operations.pauses().pause(PauseTarget.handler("confirm"), ALICE);
            assertThat(operations.aggregates().heldUpBy(first.id(), "invoice"))
                    .hasValueSatisfying(wait -> assertThat(wait)
                            .extracting(Wait::cause, Wait::messageId, Wait::handler)
                            .containsExactly(Cause.PAUSE, first.id(), "confirm"));
            assertThat(operations.retryNow(first.id(), "invoice", ALICE)).isTrue();
            assertThat(operations.aggregates().heldUpBy(first.id(), "confirm"))
                    .hasValueSatisfying(wait -> assertThat(wait.handler()).isEqualTo("confirm"));
        }
    }

    @Test
    default void a_group_that_a_pause_has_stopped_is_shown_with_the_paused_handler() throws SQLException {
        MessageHead first = publish();
        write(resolve(first, retryIn("Mails", "confirm", 0), retryIn("Mails", "invoice", 0)));
        store().writes().write(Map.of(lease(), List.of(new FencedWrite.PauseLane(laneOf("Mails")))));
        moveTo("order", "o-7");
        try (OutboxOperations operations = operations()) {
            for (String paused : List.of("confirm", "invoice")) {
                operations.pauses().pause(PauseTarget.handler(paused), ALICE);
                assertThat(operations.aggregates().of("order", "o-7").waits())
                        .extracting(Wait::cause, Wait::handler)
                        .containsExactly(tuple(Cause.PAUSE, paused));
                operations.pauses().resume(PauseTarget.handler(paused), ALICE);
            }
        }
    }

    @Test
    default void the_events_of_an_aggregate_are_counted_up_to_a_limit() throws SQLException {
        MessageHead split = publish();
        write(resolve(split, retry("A", HOUR), retry("B", HOUR)));
        long lane = LaneHash.lane("order", "o-7");
        for (String table : List.of("message", "delivery")) {
            jdbc().run("UPDATE outbox_" + table + " SET lane = ? WHERE lane = ?", lane, LANE);
        }
        try (OutboxOperations operations = operations()) {
            assertThat(operations.aggregates().of("order", "o-7").messages()).isEqualTo(1);
            jdbc().run("INSERT INTO outbox_message (id, shard, lane, type) SELECT m.id, m.shard, m.lane, m.type"
                    + " FROM outbox_message m, outbox_lock a, outbox_lock b WHERE b.slot < 10");
            assertThat(operations.aggregates().of("order", "o-7").messages()).isEqualTo(10_000);
        }
    }

    @Test
    default void the_live_nodes_that_may_relay_an_aggregate_are_named() throws SQLException {
        try (OutboxOperations operations = operations()) {
            int shard = operations.aggregates().of("order", "o-7").shard();
            Map<String, String> nodeOf = new LinkedHashMap<>();
            for (String owner : List.of("one", "advisory-lock", "row-lock", "gone")) {
                jdbc().run("DELETE FROM outbox_node");
                for (String node : List.of("one", "locks-2", "locks-3", "rows-4", "rows-5")) {
                    jdbc().run(
                                    "INSERT INTO outbox_node (owner, label, registry_version, beat, beat_at, state)"
                                            + " VALUES (?, ?, 1, 1, ?, ?)",
                                    node,
                                    "label of " + node,
                                    ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()),
                                    node.equals("rows-5") ? 2 : 0);
                }
                jdbc().run("UPDATE outbox_shard SET owner = ? WHERE shard = ?", owner, shard);
                nodeOf.put(owner, operations.aggregates().of("order", "o-7").node());
            }
            assertThat(nodeOf)
                    .containsEntry("one", "label of one")
                    .containsEntry("advisory-lock", "label of locks-2, label of locks-3")
                    .containsEntry("row-lock", "label of rows-4")
                    .containsEntry("gone", null);
        }
    }

    @Test
    default void dead_letters_are_grouped_by_handler_type_and_kind_of_error() {
        for (String error : List.of("java.net.ConnectException: refused 1", "java.net.ConnectException: refused 2")) {
            write(resolve(publish(), new Resolution.Dead("A", "A", 3, error)));
        }
        MessageHead other = publish();
        write(resolve(other, new Resolution.Dead("A", "A", 3, "its node died 3 times")));
        try (OutboxOperations operations = operations()) {
            List<FailureGroup> groups = operations.failures().of(DeadLetterFilter.all(), 1_000);
            assertThat(groups)
                    .extracting(FailureGroup::error, FailureGroup::count)
                    .containsExactly(tuple("java.net.ConnectException", 2L), tuple("its node died", 1L));
            assertThat(operations
                            .deadLetters()
                            .count(DeadLetterFilter.all()
                                    .errorKind(groups.get(0).error())))
                    .isEqualTo(2);
            assertThat(groups.get(1).sample()).isEqualTo(other.id());
        }
    }

    @Test
    default void shards_and_handlers_are_listed() {
        store().handlers().register(List.of(StoreContract.handler("order.placed", "A")));
        try (OutboxOperations operations = operations()) {
            assertThat(operations.shards())
                    .hasSize(LaneHash.SHARDS)
                    .contains(new ShardStatus(SHARD, "me", lease().epoch()));
            assertThat(operations.handlers()).singleElement().satisfies(handler -> {
                assertThat(handler.handler()).isEqualTo("A");
                assertThat(handler.retired()).isFalse();
            });
        }
    }

    @Test
    default void a_state_that_no_version_writes_is_an_error_of_the_database() throws SQLException {
        MessageHead head = publish();
        write(resolve(head, retry("A", HOUR)));
        try (OutboxOperations operations = operations()) {
            jdbc().run("UPDATE outbox_delivery SET state = 9 WHERE seq = ?", head.seq());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> operations.event(head.id()))
                    .withMessageContaining("seq " + head.seq() + " of the delivery table has state 9")
                    .matches(e -> !e.isTransient(), "repeating does not help");
            jdbc().run("UPDATE outbox_message SET status = 9 WHERE seq = ?", head.seq());
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> operations.event(head.id()))
                    .withMessageContaining("seq " + head.seq() + " of the message table has status 9");
        }
    }
}
