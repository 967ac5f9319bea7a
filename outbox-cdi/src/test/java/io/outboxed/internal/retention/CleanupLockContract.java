package io.outboxed.internal.retention;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.NamedLock;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.JdbcContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One session at a time cleans up, where the database has named locks. */
public interface CleanupLockContract extends JdbcContract {
    Duration DAY = Duration.ofDays(1);

    @Test
    default void a_batch_waits_for_that_of_another_session() throws Exception {
        oldRows();
        CompletableFuture<Map<AgedTable, Long>> run;
        try (Connection other = jdbc().open()) {
            lock(other);
            run = elsewhere(this::clean);
            awaitLockWait(run);
            assertThat(jdbc().count("outbox_history")).isEqualTo(5);
        }
        assertThat(result(run))
                .as("the other session has ended and with it the lock")
                .isEqualTo(Map.of(AgedTable.HISTORY, 5L));
    }

    @Test
    default void a_lock_that_is_not_released_is_an_error_of_the_moment_and_nothing_is_deleted() throws Exception {
        oldRows();
        try (Connection other = jdbc().open()) {
            lock(other);
            assertThatThrownBy(this::clean)
                    .isInstanceOfSatisfying(
                            CleanupBusyException.class,
                            busy -> assertThat(busy.isTransient()).isTrue())
                    .hasCauseInstanceOf(SQLException.class)
                    .matches(SqlFailure::isTransient);
            assertThat(jdbc().count("outbox_history")).isEqualTo(5);
        }
    }

    @Test
    default void a_session_that_has_cleaned_up_leaves_no_lock() throws Exception {
        oldRows();
        RelayConnection connection = RelayConnection.open(jdbc().source(), jdbc().dialect());
        try (Connection other = jdbc().open()) {
            run(connection);
            lock(other);
        } finally {
            connection.close();
        }
    }

    @Test
    default void a_batch_that_fails_leaves_no_lock() throws Exception {
        oldRows();
        Cleanup cleanup = new Cleanup(jdbc().dialect(), jdbc().prefix());
        RelayConnection connection = RelayConnection.open(jdbc().source(), jdbc().dialect());
        try (Connection other = jdbc().open()) {
            CleanupPass pass = cleanup.begin(connection.connection(), AgedTable.HISTORY, DAY);
            assertThatThrownBy(() -> cleanup.next(connection.connection(), pass, 10, (jdbc, after) -> {
                        throw new SQLException("no right to write the audit");
                    }))
                    .hasMessage("no right to write the audit");
            lock(other);
        } finally {
            connection.close();
        }
        assertThat(jdbc().count("outbox_history")).isEqualTo(5);
    }

    /** Otherwise the lock of a client that is gone, with its network, would last for hours. */
    private void oldRows() throws SQLException {
        OldRows rows = new OldRows(jdbc().admin, jdbc().dialect(), jdbc().prefix());
        rows.history(rows.ago(DAY.plusHours(1)), 5);
    }

    private void lock(Connection session) throws SQLException {
        NamedLock lock = new NamedLock(new SqlText(jdbc().dialect(), jdbc().prefix()), "outbox_cleanup");
        assertThat(new Jdbc(session, jdbc().dialect()).first(lock.tryLock(), row -> row.getLong("found")))
                .hasValue(1L);
    }

    private Map<AgedTable, Long> clean() throws Exception {
        RelayConnection connection = RelayConnection.open(jdbc().source(), jdbc().dialect());
        try {
            return run(connection);
        } finally {
            connection.close();
        }
    }

    private Map<AgedTable, Long> run(RelayConnection connection) throws Exception {
        return WholeCleanup.run(
                new Cleanup(jdbc().dialect(), jdbc().prefix()),
                connection.connection(),
                new RetentionPolicy(Map.of(AgedTable.HISTORY, DAY), RetentionPolicy.DEFAULT_BATCH_SIZE));
    }
}
