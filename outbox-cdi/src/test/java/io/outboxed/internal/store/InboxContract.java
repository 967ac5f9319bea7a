package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import io.outboxed.internal.store.jdbc.caller.InboxInsert;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Effects that happen once, on a real database. */
interface InboxContract extends JdbcContract {
    String RECEIVER = "accounts";

    @Test
    default void the_first_call_inserts_the_row_and_every_later_one_finds_it() throws Exception {
        UUID first = UUID.randomUUID();
        try (JdbcDelivery one = jdbc().begin()) {
            assertThat(claim(one, RECEIVER, "1", first)).isEqualTo(first);
            assertThat(claim(one, RECEIVER, "1", UUID.randomUUID()))
                    .as("in the same transaction")
                    .isEqualTo(first);
            one.commit();
        }
        try (JdbcDelivery later = jdbc().begin()) {
            assertThat(claim(later, RECEIVER, "1", UUID.randomUUID())).isEqualTo(first);
            later.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            later.commit();
        }
        assertThat(jdbc().effects()).as("its transaction continues").isEqualTo(1);
    }

    @Test
    default void receivers_and_ids_are_compared_exactly() throws Exception {
        try (JdbcDelivery call = jdbc().begin()) {
            assertThat(isFirst(call, RECEIVER, "a")).isTrue();
            assertThat(isFirst(call, RECEIVER, "A")).isTrue();
            assertThat(isFirst(call, RECEIVER, "\u00e4")).isTrue();
            assertThat(isFirst(call, "mails", "a")).isTrue();
            assertThat(isFirst(call, "\uD83C\uDF75".repeat(127), "\u20ac".repeat(255)))
                    .isTrue();
            call.commit();
        }
        assertThat(jdbc().count("outbox_inbox")).isEqualTo(5);
    }

    @Test
    default void a_rollback_removes_the_row() throws Exception {
        try (JdbcDelivery failed = jdbc().begin()) {
            assertThat(isFirst(failed, RECEIVER, "1")).isTrue();
            failed.rollback();
        }
        try (JdbcDelivery repeated = jdbc().begin()) {
            assertThat(isFirst(repeated, RECEIVER, "1")).isTrue();
        }
    }

    /** Makes the database fail the transaction in a way that an effect could swallow. */
    void doom(JdbcDelivery call) throws Exception;

    @Test
    default void after_a_silent_rollback_the_row_is_missed() throws Exception {
        UUID mine = UUID.randomUUID();
        try (JdbcDelivery call = jdbc().begin()) {
            assertThat(claim(call, RECEIVER, "1", mine)).isEqualTo(mine);
            assertThat(isClaimed(call, mine)).isTrue();
            call.run("UPDATE effect SET amount = 1 WHERE id = 3");
            doom(call);

            if (jdbc().dialect() == Dialect.POSTGRESQL) {
                assertThatThrownBy(() -> isClaimed(call, mine))
                        .as("this database executes nothing after an error")
                        .isInstanceOf(SQLException.class);
                return;
            }
            call.run("UPDATE effect SET amount = 1 WHERE id = 4");
            assertThat(isClaimed(call, mine)).isFalse();
            try (JdbcDelivery other = jdbc().begin()) {
                claim(other, RECEIVER, "1", UUID.randomUUID());
                assertThat(isClaimed(call, mine))
                        .as("without waiting for its successor")
                        .isFalse();
                other.commit();
            }
            assertThat(isClaimed(call, mine)).isFalse();
        }
    }

    @Test
    default void of_many_rows_those_that_a_savepoint_has_undone_are_missed() throws Exception {
        List<InboxEntry> claims = IntStream.range(0, 120)
                .mapToObj(i -> new InboxEntry(RECEIVER, "many " + i, UUID.randomUUID()))
                .toList();
        try (JdbcDelivery call = jdbc().begin()) {
            for (InboxEntry each : claims.subList(0, 60)) {
                claim(call, each.receiver(), each.messageId(), each.call());
            }
            Savepoint before = call.connection.setSavepoint();
            for (InboxEntry each : claims.subList(60, claims.size())) {
                claim(call, each.receiver(), each.messageId(), each.call());
            }
            assertThat(missing(call, claims)).isEmpty();

            call.connection.rollback(before);

            assertThat(missing(call, claims)).isEqualTo(claims.subList(60, claims.size()));
        }
    }

    @Test
    default void a_second_caller_waits_for_the_commit_of_the_first_and_is_a_repetition() throws Exception {
        try (JdbcDelivery first = jdbc().begin();
                JdbcDelivery second = jdbc().begin()) {
            assertThat(isFirst(first, RECEIVER, "1")).isTrue();
            CompletableFuture<Boolean> waiting = elsewhere(() -> isFirst(second, RECEIVER, "1"));
            awaitLockWait(waiting);
            first.commit();

            assertThat(result(waiting)).isFalse();
            second.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            second.commit();
        }
        assertThat(jdbc().effects()).as("its transaction continues").isEqualTo(1);
    }

    @Test
    default void a_second_caller_runs_its_effect_if_the_first_rolls_back() throws Exception {
        try (JdbcDelivery first = jdbc().begin();
                JdbcDelivery second = jdbc().begin()) {
            assertThat(isFirst(first, RECEIVER, "1")).isTrue();
            CompletableFuture<Boolean> waiting = elsewhere(() -> isFirst(second, RECEIVER, "1"));
            awaitLockWait(waiting);
            first.rollback();

            assertThat(result(waiting)).isTrue();
            second.commit();
        }
        assertThat(jdbc().count("outbox_inbox")).isEqualTo(1);
    }

    @Test
    default void of_two_callers_that_wait_for_a_rollback_one_runs_its_effect_and_the_other_may_be_rolled_back()
            throws Exception {
        try (JdbcDelivery first = jdbc().begin();
                JdbcDelivery second = jdbc().begin();
                JdbcDelivery third = jdbc().begin()) {
            assertThat(isFirst(first, RECEIVER, "1")).isTrue();
            List<CompletableFuture<End>> waiting = new ArrayList<>();
            for (JdbcDelivery other : List.of(second, third)) {
                waiting.add(elsewhere(() -> end(other)));
            }
            awaitLockWait(waiting.get(0), waiting.get(1));
            first.rollback();

            List<End> ends = List.of(result(waiting.get(0)), result(waiting.get(1)));
            assertThat(ends).containsOnlyOnce(End.FIRST);
        }
        assertThat(jdbc().effects()).isEqualTo(1);
    }

    @Test
    default void a_caller_with_an_older_snapshot_is_a_repetition_or_rolled_back() throws Exception {
        try (JdbcDelivery first = jdbc().begin();
                JdbcDelivery older = jdbc().begin(Connection.TRANSACTION_REPEATABLE_READ, false)) {
            older.read("SELECT * FROM effect");
            assertThat(end(first)).isEqualTo(End.FIRST);

            assertThat(end(older)).isEqualTo(withOlderSnapshot());
        }
        assertThat(jdbc().effects()).isEqualTo(1);
    }

    /** REPEATABLE READ is MySQL's default. Its snapshot hides the row, on which the insert has waited. */
    @Test
    default void a_caller_with_an_older_snapshot_that_waits_for_the_first_is_a_repetition_or_rolled_back()
            throws Exception {
        try (JdbcDelivery first = jdbc().begin(Connection.TRANSACTION_REPEATABLE_READ, false);
                JdbcDelivery older = jdbc().begin(Connection.TRANSACTION_REPEATABLE_READ, false)) {
            older.read("SELECT * FROM effect");
            assertThat(isFirst(first, RECEIVER, "1")).isTrue();
            CompletableFuture<End> waiting = elsewhere(() -> end(older));
            awaitLockWait(waiting);
            first.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            first.commit();

            assertThat(result(waiting)).isEqualTo(withOlderSnapshot());
        }
        assertThat(jdbc().effects()).isEqualTo(1);
    }

    private End withOlderSnapshot() {
        return jdbc().dialect() == Dialect.POSTGRESQL ? End.ROLLED_BACK : End.REPEATED;
    }

    @Test
    default void a_caller_without_a_snapshot_that_waits_for_the_first_sees_its_effect() throws Exception {
        try (JdbcDelivery first = jdbc().begin();
                JdbcDelivery second = jdbc().begin(defaultIsolation(), false)) {
            assertThat(isFirst(first, RECEIVER, "1")).isTrue();
            CompletableFuture<Boolean> waiting = elsewhere(() -> isFirst(second, RECEIVER, "1"));
            awaitLockWait(waiting);
            first.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            first.commit();

            assertThat(result(waiting)).isFalse();
            assertThat(new Jdbc(second.connection, jdbc().dialect())
                            .first("SELECT amount FROM effect WHERE id = 3", row -> row.getInt("amount")))
                    .contains(1);
        }
    }

    private int defaultIsolation() {
        return jdbc().dialect().isMySqlFamily()
                ? Connection.TRANSACTION_REPEATABLE_READ
                : Connection.TRANSACTION_READ_COMMITTED;
    }

    /** How a caller's transaction ended. */
    enum End {
        FIRST,
        REPEATED,
        ROLLED_BACK
    }

    /** A whole transaction: the row, then the effect if the call is the first. */
    private End end(JdbcDelivery call) throws SQLException {
        try {
            boolean first = isFirst(call, RECEIVER, "1");
            if (first) {
                call.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            }
            call.commit();
            return first ? End.FIRST : End.REPEATED;
        } catch (SQLException e) {
            assertThat(SqlFailure.isTransient(e)).as("%s", e).isTrue();
            call.rollback();
            return End.ROLLED_BACK;
        }
    }

    private boolean isFirst(JdbcDelivery call, String receiver, String id) throws SQLException {
        UUID mine = UUID.randomUUID();
        return claim(call, receiver, id, mine).equals(mine);
    }

    private boolean isClaimed(JdbcDelivery call, UUID claim) throws SQLException {
        return missing(call, List.of(new InboxEntry(RECEIVER, "1", claim))).isEmpty();
    }

    private List<InboxEntry> missing(JdbcDelivery call, List<InboxEntry> claims) throws SQLException {
        return new InboxInsert(jdbc().dialect(), jdbc().prefix()).missing(call.connection, claims);
    }

    private UUID claim(JdbcDelivery call, String receiver, String id, UUID claim) throws SQLException {
        return new InboxInsert(jdbc().dialect(), jdbc().prefix()).firstCall(call.connection, receiver, id, claim);
    }
}
