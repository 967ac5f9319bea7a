package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.RetentionPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is stored about a bulk operation, and how long. */
interface BulkStorageContract extends BulkFixture {

    @Test
    default void a_stored_request_comes_back_as_it_was_with_a_bound() {
        Instant since = Instant.parse("2026-01-31T12:00:00.000001Z");
        DeadLetterFilter narrow = new DeadLetterFilter(
                new UUID(1, 2),
                "A",
                "order.placed",
                "order",
                "o-7 \u00e9",
                "boom %_'\"",
                "boom %_",
                since,
                Instant.MAX,
                true);
        try (BulkNode node = bulkNode()) {
            BulkOperation first = node.start(new BulkRequest(BulkRequest.Kind.REPLAY, narrow, true, 7));
            assertThat(node.bulk().find(first.id())).contains(first);
            assertThat(first.request())
                    .isEqualTo(new BulkRequest(
                            BulkRequest.Kind.REPLAY,
                            narrow.diedUntil(first.request().filter().diedUntil()),
                            true,
                            7));
            assertThat(first.request().filter().diedUntil()).isBeforeOrEqualTo(first.startedAt());
            assertThat(first.attribution()).isEqualTo(BOB);
            node.bulk().cancel(first.id(), BOB);
            BulkOperation second = node.start(BulkRequest.discard(DeadLetterFilter.all()));
            assertThat(second.request().filter().diedUntil(null)).isEqualTo(DeadLetterFilter.all());
            assertThat(node.bulk().list(10))
                    .extracting(BulkOperation::id)
                    .as("what is running comes first")
                    .containsExactly(second.id(), first.id());
            assertThat(node.bulk().list(1)).hasSize(1);
            assertThat(node.bulk().find(UUID.randomUUID())).isEmpty();
        }
    }

    @Test
    default void a_stored_retry_comes_back_as_it_was_with_a_bound() {
        Instant since = Instant.parse("2026-01-31T12:00:00.000001Z");
        WaitingFilter narrow = new WaitingFilter(
                WaitingState.WAITING,
                "A",
                "order.placed",
                "order",
                "o-7 \u00e9",
                "boom %_'\"",
                "boom %_",
                since.plusNanos(999),
                Instant.MAX);
        try (BulkNode node = bulkNode()) {
            BulkOperation first = node.start(BulkRequest.retry(narrow).perSecond(7));
            assertThat(node.bulk().find(first.id())).contains(first);
            Instant bound = first.request().filter().diedUntil();
            assertThat(bound).isBeforeOrEqualTo(first.startedAt());
            assertThat(first.request())
                    .isEqualTo(BulkRequest.retry(narrow.createdSince(since).createdUntil(bound))
                            .perSecond(7));
            assertThat(first.request().waiting())
                    .isEqualTo(narrow.createdSince(since).createdUntil(bound));
            assertThat(node.workUntilItEnds(first).changed()).isZero();

            WaitingFilter instant = WAITS_FOR_A.createdSince(since.plusNanos(1)).createdUntil(since.plusNanos(2));
            assertThatIllegalArgumentException()
                    .as("no node could read it")
                    .isThrownBy(() -> node.start(BulkRequest.retry(instant)));
            assertThatIllegalArgumentException()
                    .as("all of it will be stored later")
                    .isThrownBy(() -> node.start(BulkRequest.retry(
                            WAITS_FOR_A.createdSince(first.startedAt().plusSeconds(3600)))));
            assertThat(node.bulk().list(10)).hasSize(1);
        }
    }

    @Test
    default void an_operation_of_a_kind_that_only_newer_versions_know_is_left_alone() throws Exception {
        dieOfA(2);
        write(resolve(publish(), dead("B")));
        try (BulkNode node = bulkNode()) {
            BulkOperation unknown =
                    node.start(BulkRequest.discard(DeadLetterFilter.all().handler("B")));
            jdbc().run("UPDATE outbox_operation SET kind = " + BulkRequest.Kind.values().length);
            BulkOperation known = node.start(BulkRequest.discard(OF_A));

            assertThat(node.workUntilItEnds(known).changed()).isEqualTo(2);
            assertThat(node.deadLetters().count(DeadLetterFilter.all())).isEqualTo(1);
            assertThat(node.bulk().list(10)).extracting(BulkOperation::id).containsExactly(known.id());
            assertThat(node.bulk().find(unknown.id())).isEmpty();
            assertThat(node.bulk().cancel(unknown.id(), BOB)).isEmpty();
            assertThat(jdbc().run("UPDATE outbox_operation SET kind = 1 WHERE state = 0"))
                    .as("it still runs, for a newer node")
                    .isEqualTo(1);
        }
    }

    /** Snapshots before 2026-11-25 know no {@code error_kind}: they would change whatever meets the other conditions. */
    @Test
    default void an_operation_with_a_condition_that_older_versions_do_not_know_is_left_to_newer_ones()
            throws SQLException {
        dieOfA(2);
        try (BulkNode node = bulkNode()) {
            DeadLetterFilter boom = DeadLetterFilter.all().errorKind("boom");
            BulkOperation known =
                    node.start(BulkRequest.discard(DeadLetterFilter.all().handler("B")));
            BulkOperation unknown = node.start(BulkRequest.discard(boom.handler("A")));
            assertThat(jdbc().run("UPDATE outbox_operation SET per_second = 7 WHERE ended_at IS NULL"))
                    .as("what older versions work on")
                    .isEqualTo(1);
            assertThat(node.bulk().find(known.id()).orElseThrow().request().perSecond())
                    .isEqualTo(7);

            assertThat(unknown.endedAt()).isNull();
            assertThat(node.bulk().list(10)).extracting(BulkOperation::id).containsExactly(known.id(), unknown.id());
            node.cleanup()
                    .delete(
                            new RetentionPolicy(
                                    Map.of(AgedTable.OPERATIONS, Duration.ZERO, AgedTable.AUDIT, Duration.ZERO),
                                    RetentionPolicy.DEFAULT_BATCH_SIZE),
                            (jdbc, pass) -> {},
                            (pass, took) -> {});
            assertThat(node.audit()).as("in which it counts").hasSize(2);
            assertThat(node.workUntilItEnds(unknown).state()).isEqualTo(BulkOperation.State.COMPLETE);
            assertThat(node.bulk().find(unknown.id()).orElseThrow().endedAt())
                    .isBetween(unknown.startedAt(), Instant.MAX);
        }
    }

    /** It may be data of an event, and the row outlives both. */
    @Test
    default void the_text_of_an_error_is_deleted_at_the_end_and_not_before() throws SQLException {
        dieOfA(3);
        jdbc().run("UPDATE outbox_dead SET error = 'of alice 4711'");
        DeadLetterFilter ofAlice = OF_A.error("alice").errorKind("of alice");
        try (BulkNode node = bulkNode();
                BulkNode next = bulkNode()) {
            BulkOperation started = node.start(BulkRequest.discard(ofAlice).perSecond(1));
            BulkOperation running = node.work(started);
            assertThat(running.changed()).isOne();
            assertThat(running.request()).as("for the node that takes over").isEqualTo(started.request());
            BulkOperation complete = next.workUntilItEnds(started);
            assertThat(complete.changed()).isEqualTo(3);
            assertThat(conditions(complete)).isEqualTo(OF_A.error("(not shown)").errorKind("(not shown)"));

            BulkOperation other = node.start(BulkRequest.discard(OF_A.errorKind("java.io.IOException")));
            node.bulk().cancel(other.id(), BOB);
            assertThat(conditions(node.bulk().find(other.id()).orElseThrow()))
                    .as("only a name")
                    .isEqualTo(OF_A.errorKind("java.io.IOException"));
        }
    }

    private static DeadLetterFilter conditions(BulkOperation operation) {
        return operation.request().filter().diedUntil(null);
    }

    @Test
    default void an_operation_is_deleted_some_time_after_its_end_and_not_before() {
        try (BulkNode node = bulkNode()) {
            BulkOperation ended = node.start(BulkRequest.discard(OF_A));
            node.bulk().cancel(ended.id(), BOB);
            BulkOperation running = node.start(BulkRequest.discard(OF_A));

            RetentionPolicy old = new RetentionPolicy(
                    Map.of(AgedTable.OPERATIONS, Duration.ofDays(1)), RetentionPolicy.DEFAULT_BATCH_SIZE);
            node.cleanup().delete(old, (jdbc, pass) -> {}, (pass, took) -> {});
            assertThat(node.bulk().list(10)).hasSize(2);
            RetentionPolicy all = old.with(AgedTable.OPERATIONS, Duration.ZERO);
            node.cleanup().delete(all, (jdbc, pass) -> {}, (pass, took) -> {});
            assertThat(node.bulk().list(10)).containsExactly(running);
        }
    }
}
