package io.outboxed.internal.retention;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.JdbcContract;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is old is deleted, in batches; what is not stays. */
public interface RetentionContract extends JdbcContract {
    Duration DAY = Duration.ofDays(1);

    private Cleanup cleanup() {
        return new Cleanup(jdbc().dialect(), jdbc().prefix());
    }

    private OldRows rows() {
        return new OldRows(jdbc().admin, jdbc().dialect(), jdbc().prefix());
    }

    private <T> T onOwnConnection(Work<T> work) throws Exception {
        RelayConnection connection = RelayConnection.open(jdbc().source(), jdbc().dialect());
        try {
            return work.run(connection.connection());
        } finally {
            connection.close();
        }
    }

    private Map<AgedTable, Long> clean(RetentionPolicy policy, Consumer<Duration> pause) throws Exception {
        return onOwnConnection(connection -> WholeCleanup.run(cleanup(), connection, policy, pause));
    }

    private List<HandlerKey> removeRetired() throws Exception {
        RetiredHandlers handlers = new RetiredHandlers(jdbc().dialect(), jdbc().prefix());
        return onOwnConnection(connection -> {
            List<HandlerKey> removed = new ArrayList<>();
            for (HandlerKey each : handlers.dryRun(connection).orElseThrow()) {
                handlers.remove(connection, each, (jdbc, registration) -> removed.add(registration));
            }
            return removed;
        });
    }

    /** What needs a connection. */
    interface Work<T> {
        T run(Connection connection) throws Exception;
    }

    @Test
    default void old_rows_of_each_table_are_deleted_in_batches_and_younger_ones_stay() throws Exception {
        OldRows rows = rows();
        for (Duration age : List.of(DAY.plusHours(3), DAY.plusHours(2), DAY.plusHours(1), DAY.minusHours(1))) {
            rows.history(rows.ago(age), 5);
            rows.inbox(rows.ago(age), 5);
            rows.deadLetters(rows.ago(age), 0, 5);
            rows.audit(rows.ago(age), 5);
            rows.operations(rows.ago(age), 5);
        }
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.HISTORY, DAY), 4)
                .with(AgedTable.INBOX, DAY)
                .with(AgedTable.DEAD_LETTERS, DAY)
                .with(AgedTable.AUDIT, DAY)
                .with(AgedTable.OPERATIONS, DAY);
        Map<AgedTable, Long> fifteen = new EnumMap<>(AgedTable.class);
        policy.ages().keySet().forEach(table -> fifteen.put(table, 15L));
        List<Duration> pauses = new ArrayList<>();

        Map<AgedTable, Long> expected = onOwnConnection(connection -> cleanup().dryRun(connection, policy));
        assertThat(expected).isEqualTo(fifteen);
        assertThat(clean(policy, pauses::add)).isEqualTo(fifteen);
        assertThat(pauses).as("between the four batches of each table").hasSize(15);
        for (AgedTable table : AgedTable.values()) {
            assertThat(jdbc().count("outbox_" + table.suffix())).isEqualTo(5);
        }
    }

    @Test
    default void no_batch_is_larger_than_its_limit_even_if_many_rows_have_the_same_time() throws Exception {
        OldRows rows = rows();
        rows.history(rows.ago(DAY.plusHours(2)), 1);
        rows.history(rows.ago(DAY.plusHours(1)), 10);
        onOwnConnection(connection -> {
            CleanupPass pass = cleanup().begin(connection, AgedTable.HISTORY, DAY);
            List<Long> deleted = new ArrayList<>();
            while (!pass.finished()) {
                pass = cleanup().next(connection, pass, 4);
                deleted.add(pass.deleted());
            }
            assertThat(deleted).startsWith(4L, 8L).endsWith(11L).hasSizeLessThan(6);
            return null;
        });
        assertThat(jdbc().count("outbox_history")).isZero();
    }

    @Test
    default void a_table_without_a_retention_is_left_alone() throws Exception {
        OldRows rows = rows();
        rows.history(rows.ago(DAY.multipliedBy(3000)), 3);
        rows.deadLetters(rows.ago(DAY.multipliedBy(3000)), 0, 3);
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.INBOX, DAY), RetentionPolicy.DEFAULT_BATCH_SIZE);

        assertThat(clean(policy, batch -> {})).isEqualTo(Map.of(AgedTable.INBOX, 0L));
        assertThat(jdbc().count("outbox_history")).isEqualTo(3);
        assertThat(jdbc().count("outbox_dead")).isEqualTo(3);
    }

    /** To delete one would leave its aggregate blocked for ever. */
    @Test
    default void a_dead_letter_that_blocks_its_aggregate_stays_whatever_its_age() throws Exception {
        OldRows rows = rows();
        rows.deadLetters(rows.ago(DAY.plusHours(1)), 1, 3);
        rows.deadLetters(rows.ago(DAY.plusHours(1)), 0, 3);
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.DEAD_LETTERS, DAY), 2);

        assertThat(clean(policy, batch -> {})).isEqualTo(Map.of(AgedTable.DEAD_LETTERS, 3L));
        assertThat(jdbc().count("outbox_dead")).isEqualTo(3);
    }

    /** It has the same id, and counts what the operation changes. */
    @Test
    default void the_audit_of_a_bulk_operation_stays_until_the_operation_has_ended() throws Exception {
        OldRows rows = rows();
        UUID id = UUID.randomUUID();
        rows.audit(rows.ago(DAY.plusHours(2)), 1);
        jdbc().run("UPDATE outbox_audit SET id = ?", id);
        rows.audit(rows.ago(DAY.plusHours(2)), 1);
        rows.operations(rows.ago(DAY.plusHours(2)), 1);
        jdbc().run("UPDATE outbox_operation SET id = ?, state = 0, ended_at = NULL", id);
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.AUDIT, DAY), RetentionPolicy.DEFAULT_BATCH_SIZE);

        Map<AgedTable, Long> expected = onOwnConnection(connection -> cleanup().dryRun(connection, policy));
        assertThat(expected).isEqualTo(Map.of(AgedTable.AUDIT, 1L));
        assertThat(clean(policy, batch -> {})).isEqualTo(Map.of(AgedTable.AUDIT, 1L));
        assertThat(jdbc().run("UPDATE outbox_audit SET changes = changes + 1 WHERE id = ?", id))
                .isOne();
        jdbc().run("UPDATE outbox_operation SET state = 1, ended_at = ?", rows.ago(DAY));
        assertThat(clean(policy, batch -> {})).isEqualTo(Map.of(AgedTable.AUDIT, 1L));
    }

    @Test
    default void two_runs_at_the_same_time_share_the_rows() throws Exception {
        OldRows rows = rows();
        for (int minute = 0; minute < 20; minute++) {
            rows.history(rows.ago(DAY.plusMinutes(minute + 10)), 10);
        }
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.HISTORY, DAY), 7);
        List<CompletableFuture<Map<AgedTable, Long>>> runs = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            runs.add(elsewhere(() -> clean(policy, batch -> {})));
        }
        long deleted = 0;
        for (CompletableFuture<Map<AgedTable, Long>> run : runs) {
            deleted += result(run).get(AgedTable.HISTORY);
        }
        assertThat(deleted).isEqualTo(200);
        assertThat(jdbc().count("outbox_history")).isZero();
    }

    @Test
    default void a_batch_that_another_run_deletes_does_not_end_this_one() throws Exception {
        OldRows rows = rows();
        for (int minute = 1; minute <= 20; minute++) {
            rows.history(rows.ago(DAY.plusMinutes(minute)), 1);
        }
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.HISTORY, DAY), 5);
        try (Connection other = jdbc().open()) {
            other.setAutoCommit(false);
            assertThat(new Jdbc(other, jdbc().dialect())
                            .update(
                                    jdbc().named("DELETE FROM outbox_history WHERE processed_at <= ?"),
                                    rows.ago(DAY.plusMinutes(16))))
                    .isEqualTo(5);
            CompletableFuture<Map<AgedTable, Long>> run = elsewhere(() -> clean(policy, batch -> {}));
            if (jdbc().dialect() == Dialect.POSTGRESQL) {
                assertThat(result(run)).as("it skips them").containsEntry(AgedTable.HISTORY, 15L);
            } else {
                awaitLockWait(run);
            }
            other.commit();
            assertThat(result(run)).containsEntry(AgedTable.HISTORY, 15L);
        }
        assertThat(jdbc().count("outbox_history")).isZero();
    }

    /** As by a transaction in doubt. The inbox also locks the row of a message that comes once more. */
    @Test
    default void a_row_that_stays_locked_does_not_keep_those_behind_its_batch() throws Exception {
        OldRows rows = rows();
        for (int hours = 1; hours <= 3; hours++) {
            rows.inbox(rows.ago(DAY.plusHours(hours)), 1);
        }
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.INBOX, DAY), 1);
        try (Connection holder = jdbc().open()) {
            holder.setAutoCommit(false);
            assertThat(new Jdbc(holder, jdbc().dialect())
                            .exists(
                                    jdbc().named(
                                                    "SELECT message_id FROM outbox_inbox WHERE received_at = ? FOR UPDATE"),
                                    rows.ago(DAY.plusHours(3))))
                    .isTrue();

            assertThat(clean(policy, batch -> {})).containsEntry(AgedTable.INBOX, 2L);
            holder.rollback();
        }
        assertThat(clean(policy, batch -> {})).containsEntry(AgedTable.INBOX, 1L);
    }

    @Test
    default void a_run_inside_a_transaction_is_refused() throws Exception {
        onOwnConnection(connection -> {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> cleanup().begin(connection, AgedTable.INBOX, DAY))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
            connection.setAutoCommit(true);
            return null;
        });
    }

    // ---- retired handlers ----

    @Test
    default void a_retired_handlers_registration_goes_when_nothing_waits_for_it() throws Exception {
        OldRows rows = rows();
        rows.handler("active", 0);
        rows.handler("unused", 1);
        rows.handler("succeeded", 1);
        rows.delivery("succeeded", 1);
        rows.handler("awaited", 1);
        rows.delivery("awaited", 0);
        rows.handler("blocked", 1);
        rows.delivery("blocked", 2);
        RetiredHandlers handlers = new RetiredHandlers(jdbc().dialect(), jdbc().prefix());
        List<HandlerKey> unused =
                List.of(new HandlerKey("order.placed", "succeeded"), new HandlerKey("order.placed", "unused"));

        assertThat(onOwnConnection(handlers::dryRun)).contains(unused);
        assertThat(removeRetired()).isEqualTo(unused);
        assertThat(removeRetired()).isEmpty();
        assertThat(registered()).containsExactlyInAnyOrder("active", "awaited", "blocked");
    }

    @Test
    default void a_registration_for_which_something_waits_meanwhile_stays() throws Exception {
        OldRows rows = rows();
        rows.handler("awaited", 1);
        RetiredHandlers handlers = new RetiredHandlers(jdbc().dialect(), jdbc().prefix());
        List<HandlerKey> unused = onOwnConnection(handlers::dryRun).orElseThrow();
        rows.delivery("awaited", 0);

        boolean removed =
                onOwnConnection(connection -> handlers.remove(connection, unused.get(0), (jdbc, registration) -> {}));
        assertThat(removed).isFalse();
        assertThat(registered()).containsExactly("awaited");
    }

    @Test
    default void with_too_many_deliveries_registrations_are_not_examined_and_none_is_removed() throws Exception {
        OldRows rows = rows();
        rows.handler("unused", 1);
        rows.delivery("other", 0);
        HandlerKey unused = new HandlerKey("order.placed", "unused");
        RetiredHandlers all = new RetiredHandlers(jdbc().dialect(), jdbc().prefix(), 1);
        RetiredHandlers none = new RetiredHandlers(jdbc().dialect(), jdbc().prefix(), 0);

        assertThat(onOwnConnection(none::dryRun)).isEmpty();
        boolean removed = onOwnConnection(connection -> none.remove(connection, unused, (jdbc, registration) -> {}));
        assertThat(removed).isFalse();
        assertThat(registered()).containsExactly("unused");
        assertThat(onOwnConnection(all::dryRun)).contains(List.of(unused));
    }

    /** It may have read the row before, and would then update a row that is gone. */
    @Test
    default void a_deployment_that_registers_a_retired_handler_is_waited_for() throws Exception {
        rows().handler("back", 1);
        try (Connection deployment = jdbc().open()) {
            deployment.setAutoCommit(false);
            Jdbc registering = new Jdbc(deployment, jdbc().dialect());
            registering.exists(jdbc().named("SELECT setting FROM outbox_meta WHERE name = 'registry' FOR UPDATE"));
            CompletableFuture<?> removal = elsewhere(this::removeRetired);
            awaitLockWait(removal);
            registering.update(jdbc().named("UPDATE outbox_handler SET retired = 0 WHERE handler = 'back'"));
            deployment.commit();
            result(removal);
        }
        assertThat(registered()).containsExactly("back");
    }

    @Test
    default void a_handler_whose_registration_was_removed_is_registered_again_like_a_new_one() throws Exception {
        rows().handler("back", 1);
        removeRetired();
        try (JdbcRelayStore store = new JdbcRelayStore(
                jdbc().source(), jdbc().dialect(), jdbc().prefix(), false, dropped -> {}, Duration.ofSeconds(10))) {
            long before = store.store().handlers().snapshot().version();
            assertThat(store.store()
                            .handlers()
                            .register(List.of(new HandlerRegistration("order.placed", "back", "A")))
                            .registry())
                    .isEqualTo(before + 1);
        }
        assertThat(registered()).containsExactly("back");
    }

    private List<String> registered() throws SQLException {
        return new Jdbc(jdbc().admin, jdbc().dialect())
                .list(jdbc().named("SELECT handler FROM outbox_handler"), row -> row.getString("handler"));
    }
}
