package io.outboxed.internal.store;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.StoreFixture.Draft;
import io.outboxed.internal.store.jdbc.caller.AggregateLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Business transactions that lock nothing themselves, on a real database at its own default isolation. */
interface AggregateLockContract extends JdbcContract {
    int WRITERS = 4;
    int EVENTS_EACH = 20;
    long LANE = 4711;

    /** What is read after the lock is current: each writer counts on where the one before it has stopped. */
    @Test
    default void serialized_writers_of_one_aggregate_store_and_commit_in_order() throws Exception {
        CyclicBarrier together = new CyclicBarrier(WRITERS);
        List<CompletableFuture<Integer>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(elsewhere(() -> {
                try (Connection connection = business()) {
                    together.await();
                    for (int i = 0; i < EVENTS_EACH; i++) {
                        lock().take(connection, "o-1");
                        countOnAndStore(connection);
                        connection.commit();
                    }
                }
                return 0;
            }));
        }
        for (CompletableFuture<Integer> writer : writers) {
            result(writer);
        }
        assertThat(new Jdbc(jdbc().admin, jdbc().dialect())
                        .list(
                                jdbc().named("SELECT payload FROM outbox_message WHERE lane = ? ORDER BY seq"),
                                row -> Integer.valueOf(row.getString("payload")),
                                LANE))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, WRITERS * EVENTS_EACH).boxed().toList());
    }

    private void countOnAndStore(Connection connection) throws SQLException {
        Jdbc jdbc = new Jdbc(connection, jdbc().dialect());
        int next = 1
                + jdbc.first("SELECT amount FROM effect WHERE id = 1", row -> row.getInt("amount"))
                        .orElseThrow();
        jdbc.update("UPDATE effect SET amount = ? WHERE id = 1", next);
        jdbc().insert(connection, Draft.inLane(LANE).payload(String.valueOf(next)));
    }

    @Test
    default void a_lock_is_held_until_its_transaction_ends_and_other_aggregates_do_not_wait() throws Exception {
        int slot = AggregateLock.slot("o-1");
        assertThat(AggregateLock.slot("o-2")).isNotEqualTo(slot);
        try (Connection first = business();
                Connection second = business()) {
            lock().take(first, "o-1");
            lock().take(second, "o-2");
            assertThat(isFree(second, slot))
                    .as("while the first transaction runs")
                    .isFalse();

            first.rollback();
            assertThat(isFree(second, slot)).as("after its end").isTrue();
            second.rollback();
        }
    }

    private boolean isFree(Connection connection, int slot) throws SQLException {
        return new Jdbc(connection, jdbc().dialect())
                .exists(jdbc().named("SELECT slot FROM outbox_lock WHERE slot = ? FOR UPDATE SKIP LOCKED"), slot);
    }

    private AggregateLock lock() {
        return new AggregateLock(jdbc().dialect(), jdbc().prefix());
    }

    private Connection business() throws SQLException {
        Connection connection = jdbc().open();
        connection.setAutoCommit(false);
        return connection;
    }
}
