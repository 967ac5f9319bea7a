package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.blocked;
import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static io.outboxed.internal.store.StoreContract.retry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetters.Filter;
import io.outboxed.admin.AggregateState.Cause;
import io.outboxed.admin.AggregateState.Wait;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.ShardStatus;
import io.outboxed.admin.StoredEvent;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.operations.AuditPosition;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.operations.WaitingPosition;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an operator sees and changes, and that each change leaves its audit. */
interface OperatorContract extends JdbcContract {
    Attribution ALICE = new Attribution("alice", "rest", "mail server is down");

    private OutboxOperations operations() {
        return OutboxOperations.open(jdbc().source(), jdbc().prefix());
    }

    private static List<AuditEntry> audit(OutboxOperations operations) {
        return operations.audit().list(null, 100);
    }

    // ---- pauses ----

    @Test
    default void a_pause_is_stored_once_with_who_and_why_until_it_is_resumed() {
        try (OutboxOperations operations = operations()) {
            PauseTarget mails = PauseTarget.handler("mail");
            assertThat(operations.pauses().pause(mails, ALICE)).isTrue();
            assertThat(operations.pauses().pause(mails, ALICE)).isFalse();
            assertThat(operations.pauses().pause(PauseTarget.type("mail"), ALICE))
                    .isTrue();
            assertThat(operations.pauses().pause(PauseTarget.everything(), ALICE))
                    .isTrue();
            assertThat(store().handlers().pauses())
                    .extracting(Pause::target, Pause::who, Pause::why)
                    .containsExactly(
                            tuple(PauseTarget.everything(), "alice", "mail server is down"),
                            tuple(PauseTarget.type("mail"), "alice", "mail server is down"),
                            tuple(mails, "alice", "mail server is down"));
            assertThat(operations.status().pauses())
                    .hasSize(3)
                    .allSatisfy(pause -> assertThat(Duration.between(
                                    pause.since(), operations.status().at()))
                            .isBetween(Duration.ZERO, Duration.ofMinutes(1)));

            assertThat(operations.pauses().resume(mails, ALICE)).isTrue();
            assertThat(operations.pauses().resume(mails, ALICE)).isFalse();
            assertThat(operations.pauses().inForce()).hasSize(2);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::attribution, AuditEntry::count)
                    .containsExactlyInAnyOrder(
                            tuple("pause", "handler mail", ALICE, 1L),
                            tuple("pause", "type mail", ALICE, 1L),
                            tuple("pause", "everything", ALICE, 1L),
                            tuple("resume", "handler mail", ALICE, 1L));
        }
    }

    @Test
    default void of_operators_that_pause_the_same_at_once_one_succeeds() throws Exception {
        try (OutboxOperations operations = operations()) {
            List<CompletableFuture<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                calls.add(JdbcContract.elsewhere(() -> operations.pauses().pause(PauseTarget.handler("mail"), ALICE)));
            }
            int paused = 0;
            for (CompletableFuture<Boolean> call : calls) {
                paused += JdbcContract.result(call) ? 1 : 0;
            }
            assertThat(paused).isOne();
            assertThat(audit(operations)).hasSize(1);
        }
    }

    // ---- deliveries ----

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
                    .extracting(PendingDelivery::attempts)
                    .containsExactly(1);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::messageId)
                    .containsExactly(tuple("retry-now", "handler A", head.id()));
        }
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
    default void a_delivery_that_is_running_is_left_alone() {
        MessageHead head = publish();
        write(resolve(head, retry("A", 0)));
        try (OutboxOperations operations = operations();
                StoreFixture.Delivery running = bench().begin()) {
            running.claim(split("A"));
            assertThat(operations.retryNow(head.id(), "A", ALICE)).isFalse();
        }
    }

    @Test
    default void a_replay_that_may_break_the_order_needs_consent() {
        MessageHead skipped = publish();
        MessageHead waits = publish();
        write(resolve(skipped, dead("A")), resolve(waits, blocked("B")));
        try (OutboxOperations operations = operations()) {
            assertThat(operations.deadLetterChanges().preview(Filter.all())).satisfies(preview -> {
                assertThat(preview.matched()).isEqualTo(2);
                assertThat(preview.inPlace()).isOne();
                assertThat(preview.behindNewer()).isOne();
                assertThat(preview.newest()).hasSize(2);
            });
            assertThat(operations.deadLetterChanges().replay(skipped.id(), "A", false, ALICE))
                    .isEqualTo(ReplayResult.ORDER_NOT_ACCEPTED);
            assertThat(operations.deadLetterChanges().replay(Filter.all(), 10, false, ALICE, each -> {}))
                    .isOne();
            assertThat(operations.deadLetterChanges().replay(waits.id(), "B", false, ALICE))
                    .isEqualTo(ReplayResult.NOT_FOUND);
            assertThat(operations.deadLetterChanges().replay(skipped.id(), "A", true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::messageId, AuditEntry::count)
                    .containsExactlyInAnyOrder(
                            tuple("replay", "dead letters", null, 1L), tuple("replay", "handler A", skipped.id(), 1L));
        }
    }

    @Test
    default void a_dead_letter_is_replaced_by_a_new_event_with_another_payload() {
        MessageHead skipped = publish();
        MessageHead waits = publish();
        MessageHead behind = publish();
        write(resolve(skipped, dead("A")), resolve(waits, blocked("A")), resolve(behind, retry("A", 0)));
        try (OutboxOperations operations = operations()) {
            for (MessageHead head : List.of(skipped, waits)) {
                UUID newId = UUID.randomUUID();
                Edited edited = new Edited(newId, "{\"caf\u00e9\": 1}", 12);
                assertThat(operations.deadLetterChanges().replace(head.id(), "A", edited, false, ALICE))
                        .isEqualTo(ReplayResult.ORDER_NOT_ACCEPTED);
                assertThat(operations.deadLetterChanges().replace(head.id(), "B", edited, true, ALICE))
                        .isEqualTo(ReplayResult.NOT_FOUND);
                assertThat(operations.deadLetterChanges().replace(head.id(), "A", edited, true, ALICE))
                        .isEqualTo(ReplayResult.REPLAYED);
                assertThat(operations.deadLetterChanges().replace(head.id(), "A", edited, true, ALICE))
                        .isEqualTo(ReplayResult.NOT_FOUND);
                assertThat(operations.messages().content(newId).orElseThrow().text())
                        .isEqualTo(edited.payload());
                assertThat(operations.event(head.id()).isEmpty()).isTrue();
                assertThat(audit(operations).get(0)).satisfies(entry -> {
                    assertThat(entry.action()).isEqualTo("edit");
                    assertThat(entry.target()).isEqualTo("handler A, new event " + newId);
                    assertThat(entry.messageId()).isEqualTo(head.id());
                });
            }
            assertThat(dueGroups()).as("what was behind continues").containsExactly("A");
            assertThat(ready()).hasSize(2).allSatisfy(head -> {
                assertThat(head.onlyHandler()).isEqualTo("A");
                assertThat(head.seq()).isGreaterThan(behind.seq());
            });
        }
    }

    @Test
    default void replays_are_counted_in_one_row_and_each_discard_has_its_own() {
        List<MessageHead> heads = List.of(publish(), publish(), publish());
        heads.forEach(head -> write(resolve(head, dead("A"), dead("B"))));
        try (OutboxOperations operations = operations()) {
            Filter ofA = Filter.all().handler("A");
            assertThat(operations.deadLetterChanges().replay(ofA, 2, true, ALICE, each -> {}))
                    .isEqualTo(2);
            assertThat(operations.deadLetterChanges().discard(Filter.all().handler("B"), 10, ALICE, each -> {}))
                    .isEqualTo(3);
            assertThat(operations.deadLetterChanges().discard(heads.get(2).id(), "A", ALICE, each -> {}))
                    .isTrue();
            assertThat(operations.deadLetterChanges().discard(heads.get(2).id(), "A", ALICE, each -> {}))
                    .isFalse();
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::count)
                    .containsExactlyInAnyOrder(
                            tuple("replay", "dead letters of handler A", 2L),
                            tuple("discard", "handler B", 1L),
                            tuple("discard", "handler B", 1L),
                            tuple("discard", "handler B", 1L),
                            tuple("discard", "handler A", 1L));
        }
    }

    @Test
    default void a_change_whose_audit_cannot_be_written_is_not_made() {
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        try (DeadLetterStore letters = jdbc().deadLetterStore()) {
            assertThatThrownBy(() -> letters.discard(head.id(), "A", (jdbc, id, handler) -> {
                        throw new SQLException("no room", "53100");
                    }))
                    .isInstanceOf(RuntimeException.class);
            assertThat(letters.count(Filter.all())).isOne();
        }
    }

    @Test
    default void the_audit_is_read_page_by_page_the_newest_first() {
        try (OutboxOperations operations = operations()) {
            for (int i = 0; i < 5; i++) {
                operations.audit().record(ALICE, "edit", "number " + i, null, 1);
            }
            List<String> found = new ArrayList<>();
            AuditPosition after = null;
            for (List<AuditEntry> page; !(page = operations.audit().list(after, 2)).isEmpty(); ) {
                page.forEach(entry -> found.add(entry.target()));
                after = AuditPosition.of(
                        AuditPosition.of(page.get(page.size() - 1)).text());
            }
            assertThat(found).containsExactly("number 4", "number 3", "number 2", "number 1", "number 0");
        }
    }

    // ---- what is there ----

    @Test
    default void what_waits_is_found_page_by_page_and_by_time() {
        List<MessageHead> heads = List.of(publish(), publish(), publish());
        heads.forEach(head -> write(resolve(head, retry("A", HOUR), retry("B", HOUR))));
        try (OutboxOperations operations = operations()) {
            WaitingFilter all = WaitingFilter.in(WaitingState.WAITING);
            List<WaitingItem> found = new ArrayList<>();
            WaitingPosition after = null;
            for (List<WaitingItem> page; !(page = operations.messages().list(all, after, 4)).isEmpty(); ) {
                found.addAll(page);
                after = WaitingPosition.of(
                        WaitingPosition.of(page.get(page.size() - 1)).text());
            }
            assertThat(found).hasSize(6).doesNotHaveDuplicates();
            Instant second = found.get(2).createdAt();
            assertThat(operations.messages().list(all.createdSince(second), null, 10))
                    .allSatisfy(item -> assertThat(item.createdAt()).isAfterOrEqualTo(second))
                    .hasSizeGreaterThanOrEqualTo(4);
            assertThat(operations.messages().list(all.createdUntil(second), null, 10))
                    .allSatisfy(item -> assertThat(item.createdAt()).isBefore(second));
            assertThat(operations.messages().list(all.createdSince(Instant.MIN).createdUntil(Instant.MAX), null, 10))
                    .hasSize(6);
            assertThat(operations.messages().list(all.handler("B").error("boom"), null, 10))
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
    default void it_is_shown_what_holds_up_an_aggregate() throws SQLException {
        MessageHead first = publish();
        MessageHead second = publish();
        write(
                resolve(first, retry("A", HOUR), blocked("B"), retry("C", HOUR), retry(LaneWait.UNKNOWN, HOUR)),
                resolve(second, retry("A", 0)));
        long lane = LaneHash.lane("order", "o-7");
        for (String table : List.of("message", "delivery", "lane")) {
            jdbc().run("UPDATE outbox_" + table + " SET lane = ? WHERE lane = ?", lane, LANE);
        }
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

    @Test
    default void dead_letters_are_grouped_by_handler_type_and_kind_of_error() {
        for (String error : List.of("java.net.ConnectException: refused 1", "java.net.ConnectException: refused 2")) {
            write(resolve(publish(), new Resolution.Dead("A", "A", 3, error)));
        }
        MessageHead other = publish();
        write(resolve(other, new Resolution.Dead("A", "A", 3, "its node died 3 times")));
        try (OutboxOperations operations = operations()) {
            List<FailureGroup> groups = operations.failures().of(Filter.all(), 1_000);
            assertThat(groups)
                    .extracting(FailureGroup::error, FailureGroup::count)
                    .containsExactly(tuple("java.net.ConnectException", 2L), tuple("its node died", 1L));
            assertThat(operations
                            .deadLetters()
                            .count(Filter.all().error(groups.get(0).error())))
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
}
