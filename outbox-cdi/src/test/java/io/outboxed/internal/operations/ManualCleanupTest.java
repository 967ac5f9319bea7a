package io.outboxed.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.ManualCleanup.CleanupListener;
import io.outboxed.internal.retention.AgedDatabase;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.CleanupPass;
import io.outboxed.internal.retention.RetentionPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cleanup on request, of tables of which some can't be cleaned. */
class ManualCleanupTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final RetentionPolicy POLICY = new RetentionPolicy(
            Map.of(AgedTable.HISTORY, WEEK, AgedTable.INBOX, WEEK, AgedTable.DEAD_LETTERS, WEEK), 3);
    private static final BatchRecorder<CleanupPass> UNRECORDED = (jdbc, pass) -> {};
    private static final CleanupListener UNWATCHED = (pass, took) -> {};

    private AgedDatabase database;
    private ManualCleanup cleanup;

    @BeforeEach
    void createOldRows() throws SQLException {
        database = new AgedDatabase();
        cleanup = new ManualCleanup(database::connect, Dialect.H2, AgedDatabase.PREFIX);
        long time = database.rows.ago(WEEK.plusDays(1));
        database.rows.history(time, 10);
        database.rows.inbox(time, 10);
        database.rows.deadLetters(time, 0, 10);
    }

    @AfterEach
    void close() throws SQLException {
        cleanup.close();
        database.close();
    }

    @Test
    void a_table_that_can_not_be_cleaned_does_not_hold_up_the_others() throws SQLException {
        database.execute("ALTER TABLE outbox_inbox RENAME TO renamed");

        assertThatThrownBy(() -> cleanup.delete(POLICY, UNRECORDED, UNWATCHED))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("outbox_inbox")
                .hasNoSuppressedExceptions();
        assertThat(database.count("history")).isZero();
        assertThat(database.count("dead")).isZero();
    }

    @Test
    void the_first_error_ends_the_cleanup_and_has_those_of_other_tables() throws SQLException {
        database.execute("ALTER TABLE outbox_inbox RENAME TO renamed");
        database.execute("ALTER TABLE outbox_dead RENAME TO renamed_too");

        Throwable failure = catchThrowable(() -> cleanup.delete(POLICY, UNRECORDED, UNWATCHED));

        assertThat(failure).hasMessageContaining("outbox_");
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(StoreException.class);
        assertThat(database.count("history")).isZero();
    }

    @Test
    void what_can_not_be_recorded_is_not_deleted() throws SQLException {
        assertThatThrownBy(() -> cleanup.delete(POLICY, ManualCleanupTest::refuse, UNWATCHED))
                .hasRootCauseMessage("no right to write the audit");

        assertThat(database.count("history")).isEqualTo(10);
        assertThat(database.count("inbox")).isEqualTo(10);
        assertThat(database.count("dead")).isEqualTo(10);
    }

    @Test
    void an_operator_who_interrupts_it_does_not_wait_for_other_tables() throws SQLException {
        IllegalStateException interruption = new IllegalStateException("interrupted");

        assertThatThrownBy(() -> cleanup.delete(POLICY, UNRECORDED, (pass, took) -> {
                    throw interruption;
                }))
                .isSameAs(interruption);
        assertThat(database.count("history") + database.count("inbox") + database.count("dead"))
                .as("after one batch")
                .isEqualTo(27);
    }

    private static void refuse(Jdbc jdbc, CleanupPass pass) throws SQLException {
        throw new SQLException("no right to write the audit", "42000");
    }
}
