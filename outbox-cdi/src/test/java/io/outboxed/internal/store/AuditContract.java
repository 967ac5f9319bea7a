package io.outboxed.internal.store;

import static io.outboxed.internal.store.StoreContract.dead;
import static io.outboxed.internal.store.StoreContract.resolve;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.AuditPage;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.AuditPosition;
import io.outboxed.internal.operations.DeadLetterChanges;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What each change of an operator leaves in the audit, and that no search holds one up. */
interface AuditContract extends OperationsContract {

    @Test
    default void replays_are_counted_in_one_row_and_each_discard_has_its_own() {
        List<MessageHead> heads = List.of(publish(), publish(), publish());
        heads.forEach(head -> write(resolve(head, dead("A"), dead("B"))));
        try (OutboxOperations operations = operations()) {
            DeadLetterFilter ofA = DeadLetterFilter.all().handler("A");
            assertThat(operations.deadLetterChanges().replay(ofA, 2, true, ALICE, each -> {}))
                    .isEqualTo(2);
            assertThat(operations
                            .deadLetterChanges()
                            .discard(DeadLetterFilter.all().handler("B"), 10, ALICE, each -> {}))
                    .isEqualTo(3);
            assertThat(operations
                            .deadLetterChanges()
                            .discard(Target.whichever(heads.get(2).id(), "A"), ALICE, each -> {}))
                    .isTrue();
            assertThat(operations
                            .deadLetterChanges()
                            .discard(Target.whichever(heads.get(2).id(), "A"), ALICE, each -> {}))
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

    private void audited(OutboxOperations operations, String action, String target, long changes) throws SQLException {
        operations.audit().sum(onAdmin(), UUID.randomUUID(), ALICE, action, target, changes);
    }

    private void discarded(OutboxOperations operations, String handler) throws SQLException {
        operations.audit().each(ALICE, "discard").record(onAdmin(), UUID.randomUUID(), handler);
    }

    private Jdbc onAdmin() {
        return new Jdbc(jdbc().admin, jdbc().dialect());
    }

    /** Whoever makes them: the command line has no metrics of its own. */
    @Test
    default void changes_of_the_last_hour_are_summed_up_for_the_metrics() throws Exception {
        try (OutboxOperations operations = operations()) {
            discarded(operations, "too early");
            jdbc().run("UPDATE outbox_audit SET changed_at = changed_at - 3601000000");
            for (String handler : List.of("A", "B", "C")) {
                discarded(operations, handler);
            }
            audited(operations, "drop-deliveries", "handler C", 40);
        }

        assertThat(store().statistics().operatorChanges()).isEqualTo(Map.of("discard", 3L, "drop-deliveries", 40L));
    }

    @Test
    default void a_target_that_is_cut_says_so_and_keeps_its_short_conditions() {
        Instant until = Instant.parse("2026-01-31T12:00:00Z");
        String pair = "\ud83d\ude00";
        DeadLetterFilter filter = DeadLetterFilter.all()
                .handler("h".repeat(128))
                .type("t".repeat(128))
                .aggregate("a", pair.repeat(120))
                .error("secret")
                .diedUntil(until)
                .onlyBlocking();
        try (OutboxOperations operations = operations()) {
            for (String shift : List.of("a", "aa")) {
                DeadLetterFilter shifted = filter.aggregate(shift, filter.aggregateId());
                UUID id = operations
                        .bulk()
                        .start(BulkRequest.replay(shifted), ALICE)
                        .id();
                operations.bulk().cancel(id, ALICE);
            }
            assertThat(audit(operations).stream().filter(entry -> entry.action().equals("replay")))
                    .hasSize(2)
                    .extracting(AuditEntry::target)
                    .allSatisfy(target -> assertThat(target)
                            .startsWith(
                                    "dead letters that block with a certain error until " + until + " of handler hh")
                            .endsWith(pair + "\u2026")
                            .hasSizeBetween(499, 500));
        }
    }

    @Test
    default void searches_that_take_long_keep_no_operator_from_a_change() throws Exception {
        MessageHead head = publish();
        write(resolve(head, dead("A"), dead("B"), dead("C")));
        CountDownLatch searching = new CountDownLatch(1);
        CompletableFuture<Void> over = new CompletableFuture<>();
        ThreadLocal<Boolean> isViewer = ThreadLocal.withInitial(() -> false);
        ConnectionSource slowForViewers = () -> {
            if (isViewer.get()) {
                searching.countDown();
                over.join();
            }
            return jdbc().source().open();
        };
        try (OutboxOperations operations = OutboxOperations.open(slowForViewers, jdbc().prefix())) {
            CompletableFuture<Long> search = JdbcContract.elsewhere(() -> {
                isViewer.set(true);
                return operations.deadLetters().count(DeadLetterFilter.all().error("nothing has it"));
            });
            assertThat(searching.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(operations.event(head.id()).deadLetters()).hasSize(3);
            DeadLetterChanges changes = operations.deadLetterChanges();
            assertThat(changes.replay(Target.whichever(head.id(), "A"), true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            assertThat(changes.replay(Target.whichever(head.id(), "B"), false, ALICE))
                    .isEqualTo(ReplayResult.WOULD_REORDER);
            assertThat(changes.replace(
                            Target.whichever(head.id(), "B"), new Edited(UUID.randomUUID(), "{}", 2), true, ALICE))
                    .isEqualTo(ReplayResult.REPLAYED);
            assertThat(changes.discard(Target.whichever(head.id(), "C"), ALICE, letter -> {}))
                    .isTrue();
            over.complete(null);
            assertThat(JdbcContract.result(search)).isZero();
        } finally {
            over.complete(null);
        }
    }

    @Test
    default void a_change_whose_audit_cannot_be_written_is_not_made() throws SQLException {
        MessageHead head = publish();
        write(resolve(head, dead("A")));
        try (OutboxOperations operations = operations()) {
            DeadLetterChanges changes = operations.deadLetterChanges();
            Edited edited = new Edited(UUID.randomUUID(), "{}", 2);
            jdbc().run("ALTER TABLE outbox_audit ADD COLUMN needed INTEGER NOT NULL");
            try {
                assertThatThrownBy(() -> changes.discard(Target.whichever(head.id(), "A"), ALICE, letter -> {}))
                        .isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> changes.replay(Target.whichever(head.id(), "A"), true, ALICE))
                        .isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> changes.replace(Target.whichever(head.id(), "A"), edited, true, ALICE))
                        .isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> changes.replay(DeadLetterFilter.all(), 10, true, ALICE, each -> {}))
                        .isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> operations.bulk().start(BulkRequest.discard(DeadLetterFilter.all()), ALICE))
                        .isInstanceOf(StoreException.class);
            } finally {
                jdbc().run("ALTER TABLE outbox_audit DROP COLUMN needed");
            }
            assertThat(operations.deadLetters().count(DeadLetterFilter.all())).isOne();
            assertThat(operations.bulk().list(10)).isEmpty();
        }
        assertThat(ready()).isEmpty();
    }

    @Test
    default void the_audit_is_read_page_by_page_the_newest_first() throws Exception {
        try (OutboxOperations operations = operations()) {
            for (int i = 0; i < 5; i++) {
                audited(operations, "edit", "number " + i, 1);
            }
            List<String> found = new ArrayList<>();
            String after = null;
            do {
                AuditPage page = operations.audit().page(AuditPosition.of(after), 2);
                page.entries().forEach(entry -> found.add(entry.target()));
                after = page.next();
            } while (after != null);
            assertThat(found).containsExactly("number 4", "number 3", "number 2", "number 1", "number 0");
        }
    }
}
