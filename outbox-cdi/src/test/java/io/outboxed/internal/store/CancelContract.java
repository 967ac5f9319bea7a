package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.caller.PublishedMessages;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Events that are cancelled, on a real database. */
interface CancelContract extends JdbcContract {

    private void park(MessageHead delayed) {
        write(new FencedWrite.Park(delayed.lane(), List.of(delayed)));
    }

    private MessageHead publishDelayed() {
        return bench().publish(Draft.inLane(LANE).delay(HOUR));
    }

    @Test
    default void a_delayed_message_is_cancelled_whether_it_is_ready_or_parked() throws Exception {
        MessageHead ready = publishDelayed();
        MessageHead parked = publishDelayed();
        park(parked);
        MessageHead other = publishDelayed();
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(cancel(caller, ready.id())).isTrue();
            assertThat(cancel(caller, parked.id())).isTrue();
            assertThat(cancel(caller, parked.id())).as("once").isFalse();
            caller.commit();
        }
        assertThat(ready()).extracting(MessageHead::id).containsExactly(other.id());
        assertThat(bench().messageRows()).isEqualTo(1);
        assertThat(store().writes().refresh(lease(), new LaneWait(LANE, SHARD, LaneWait.PARKED)))
                .as("nothing is left of its wait")
                .isTrue();
    }

    @Test
    default void a_rollback_restores_the_message() throws Exception {
        MessageHead delayed = publishDelayed();
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(cancel(caller, delayed.id())).isTrue();
            caller.rollback();
        }
        assertThat(ready()).extracting(MessageHead::id).containsExactly(delayed.id());
    }

    @Test
    default void nothing_that_may_have_been_started_is_cancelled() throws Exception {
        MessageHead withoutDelay = publish();
        MessageHead split = publishDelayed();
        write(StoreContract.resolve(split, StoreContract.retry("A", HOUR)));
        MessageHead due = publishDelayed();
        jdbc().run("UPDATE outbox_message SET delay_micros = 1 WHERE seq = ?", due.seq());
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(cancel(caller, withoutDelay.id())).isFalse();
            assertThat(cancel(caller, split.id())).isFalse();
            assertThat(cancel(caller, due.id())).isFalse();
            assertThat(cancel(caller, UUID.randomUUID())).isFalse();
            caller.commit();
        }
        assertThat(bench().messageRows()).isEqualTo(3);
    }

    @Test
    default void the_clock_of_a_cancellation_is_not_that_of_the_begin_of_its_transaction() throws Exception {
        MessageHead delayed = publishDelayed();
        try (JdbcDelivery caller = jdbc().begin()) {
            caller.run("UPDATE effect SET amount = amount + 1 WHERE id = 3");
            jdbc().run(
                            "UPDATE outbox_message SET created_at = CURRENT_TIMESTAMP(6), delay_micros = 20000"
                                    + " WHERE seq = ?",
                            delayed.seq());
            Await.until(
                    "it is due",
                    () -> !store().reads().startable(List.of(delayed)).isEmpty());
            assertThat(cancel(caller, delayed.id())).isFalse();
        }
    }

    @Test
    default void a_message_is_startable_once_its_delay_has_passed_unless_it_is_being_cancelled() throws Exception {
        MessageHead delayed = publishDelayed();
        MessageHead due = bench().publish(Draft.inLane(LANE).delay(1));
        assertThat(store().reads().startable(List.of(delayed, due))).containsExactly(due.id());

        MessageHead second = publishDelayed();
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(cancel(caller, delayed.id())).isTrue();
            jdbc().run("UPDATE outbox_message SET delay_micros = 1 WHERE seq = ?", second.seq());
            assertThat(store().reads().startable(List.of(delayed, due, second)))
                    .as("without waiting for the lock")
                    .containsExactlyInAnyOrder(due.id(), second.id());
            caller.commit();
        }
        assertThat(store().reads().startable(List.of(delayed))).isEmpty();
        assertThat(store().reads().startable(List.of())).isEmpty();
    }

    @Test
    default void a_message_that_becomes_due_while_it_is_being_cancelled_is_startable_after_a_rollback()
            throws Exception {
        MessageHead delayed;
        try (JdbcDelivery caller = jdbc().begin()) {
            Cancelled cancelled = cancelInTime(caller);
            delayed = cancelled.message();
            while (store().statistics().clock() <= cancelled.due()) {
                assertThat(store().reads().startable(List.of(delayed))).isEmpty();
            }
            assertThat(store().reads().startable(List.of(delayed))).isEmpty();
            caller.rollback();
        }
        assertThat(store().reads().startable(List.of(delayed))).containsExactly(delayed.id());
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(cancel(caller, delayed.id())).isFalse();
        }
    }

    @Test
    default void a_second_cancellation_waits_for_the_first_and_cancels_what_that_one_restores() throws Exception {
        MessageHead delayed = publishDelayed();
        for (boolean commits : List.of(false, true)) {
            try (JdbcDelivery first = jdbc().begin();
                    JdbcDelivery second = jdbc().begin()) {
                assertThat(cancel(first, delayed.id())).isTrue();
                CompletableFuture<Boolean> waiting = elsewhere(() -> cancel(second, delayed.id()));
                awaitLockWait(waiting);
                if (commits) {
                    first.commit();
                } else {
                    first.rollback();
                }
                assertThat(result(waiting)).isEqualTo(!commits);
            }
        }
        assertThat(bench().messageRows()).isZero();
    }

    @Test
    default void a_cancellation_that_has_waited_beyond_the_delay_cancels_nothing() throws Exception {
        try (JdbcDelivery first = jdbc().begin();
                JdbcDelivery second = jdbc().begin()) {
            Cancelled cancelled = cancelInTime(first);
            CompletableFuture<Boolean> waiting =
                    elsewhere(() -> cancel(second, cancelled.message().id()));
            awaitLockWait(waiting);
            Await.until("it is due", () -> store().statistics().clock() > cancelled.due());
            assertThat(waiting).as("it still waits").isNotDone();
            first.rollback();

            assertThat(result(waiting)).isFalse();
        }
        assertThat(ready()).isNotEmpty();
    }

    @Test
    default void a_message_that_is_being_cancelled_is_parked_later() throws Exception {
        MessageHead delayed = publishDelayed();
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(cancel(caller, delayed.id())).isTrue();
            park(delayed);
            assertThat(ready()).containsExactly(delayed);
            caller.rollback();
        }
        park(delayed);
        assertThat(ready()).isEmpty();
    }

    /** REPEATABLE READ is the default of MySQL and MariaDB. */
    @Test
    default void a_message_that_was_parked_after_the_callers_snapshot_is_cancelled_except_on_postgresql()
            throws Exception {
        MessageHead delayed = publishDelayed();
        try (JdbcDelivery caller = jdbc().begin(Connection.TRANSACTION_REPEATABLE_READ, false)) {
            caller.read("SELECT * FROM effect");
            park(delayed);
            if (jdbc().dialect() == Dialect.POSTGRESQL) {
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> cancel(caller, delayed.id()))
                        .as("the transaction is to be repeated")
                        .matches(SqlFailure::isRolledBack);
                caller.rollback();
            } else {
                assertThat(cancel(caller, delayed.id())).isTrue();
                caller.commit();
            }
        }
        assertThat(bench().messageRows()).isEqualTo(jdbc().dialect() == Dialect.POSTGRESQL ? 1 : 0);
    }

    @Test
    default void messages_and_dead_letters_are_found_by_id_and_the_clock_is_the_databases() throws Exception {
        MessageHead message = publish();
        MessageHead dead = publish();
        write(StoreContract.resolve(dead, StoreContract.dead("A")));
        PublishedMessages published = published();
        try (JdbcDelivery caller = jdbc().begin()) {
            assertThat(published.isStored(caller.connection, message.id())).isTrue();
            assertThat(published.isStored(caller.connection, dead.id())).isTrue();
            assertThat(published.isStored(caller.connection, UUID.randomUUID())).isFalse();
            assertThat(published.now(caller.connection))
                    .isLessThanOrEqualTo(store().statistics().clock());
        }
    }

    /** @param due by the database's clock, its delay has passed then */
    record Cancelled(MessageHead message, long due) {}

    /** Cancels a message shortly before its delay has passed; on a slow machine not the first one. */
    private Cancelled cancelInTime(JdbcDelivery caller) throws SQLException {
        for (long delay = 200_000; delay < 60_000_000; delay *= 2) {
            MessageHead message = bench().publish(Draft.inLane(LANE).delay(delay));
            long due = store().statistics().clock() + delay;
            if (cancel(caller, message.id())) {
                return new Cancelled(message, due);
            }
        }
        throw new AssertionError("no message was cancelled");
    }

    private boolean cancel(JdbcDelivery caller, UUID id) throws SQLException {
        return published().cancel(caller.connection, id);
    }

    private PublishedMessages published() {
        return new PublishedMessages(jdbc().dialect(), jdbc().prefix());
    }
}
