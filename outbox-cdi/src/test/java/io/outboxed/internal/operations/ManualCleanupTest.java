package io.outboxed.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.operations.ManualCleanup.CleanupListener;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.CleanupPass;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cleanup on request, of tables of which some can't be cleaned. */
class ManualCleanupTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final RetentionPolicy POLICY = new RetentionPolicy(
            Map.of(AgedTable.HISTORY, WEEK, AgedTable.INBOX, WEEK, AgedTable.DEAD_LETTERS, WEEK), 3);
    private static final BatchRecorder<CleanupPass> UNRECORDED = (jdbc, pass) -> {};
    private static final CleanupListener NOBODY = (pass, took) -> {};

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final ManualCleanup cleanup = new ManualCleanup(this::connect, Dialect.H2, "outbox_");
    private Connection admin;

    @BeforeEach
    void createOldRows() throws SQLException {
        admin = connect();
        new Schema(this::connect, Dialect.H2, "outbox_").create();
        OldRows rows = new OldRows(admin, Dialect.H2, "outbox_");
        long time = rows.ago(WEEK.plusDays(1));
        rows.history(time, 10);
        rows.inbox(time, 10);
        rows.deadLetters(time, 0, 10);
    }

    @AfterEach
    void close() throws SQLException {
        cleanup.close();
        admin.close();
    }

    @Test
    void a_table_that_can_not_be_cleaned_does_not_hold_up_the_others() throws SQLException {
        execute("ALTER TABLE outbox_inbox RENAME TO renamed");

        assertThatThrownBy(() -> cleanup.delete(POLICY, UNRECORDED, NOBODY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("outbox_inbox")
                .hasNoSuppressedExceptions();
        assertThat(count("history")).isZero();
        assertThat(count("dead")).isZero();
    }

    @Test
    void the_first_error_ends_the_cleanup_and_has_those_of_other_tables() throws SQLException {
        execute("ALTER TABLE outbox_inbox RENAME TO renamed");
        execute("ALTER TABLE outbox_dead RENAME TO renamed_too");

        Throwable failure = catchThrowable(() -> cleanup.delete(POLICY, UNRECORDED, NOBODY));

        assertThat(failure).hasMessageContaining("outbox_");
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(StoreException.class);
        assertThat(count("history")).isZero();
    }

    @Test
    void what_can_not_be_recorded_is_not_deleted() throws SQLException {
        assertThatThrownBy(() -> cleanup.delete(POLICY, ManualCleanupTest::refuse, NOBODY))
                .hasRootCauseMessage("no right to write the audit");

        assertThat(count("history")).isEqualTo(10);
        assertThat(count("inbox")).isEqualTo(10);
        assertThat(count("dead")).isEqualTo(10);
    }

    @Test
    void an_operator_who_interrupts_it_does_not_wait_for_other_tables() throws SQLException {
        IllegalStateException interruption = new IllegalStateException("interrupted");

        assertThatThrownBy(() -> cleanup.delete(POLICY, UNRECORDED, (pass, took) -> {
                    throw interruption;
                }))
                .isSameAs(interruption);
        assertThat(count("history") + count("inbox") + count("dead"))
                .as("after one batch")
                .isEqualTo(27);
    }

    private static void refuse(Jdbc jdbc, CleanupPass pass) throws SQLException {
        throw new SQLException("no right to write the audit", "42000");
    }

    private void execute(String sql) throws SQLException {
        new Jdbc(admin, Dialect.H2).update(sql);
    }

    private long count(String table) throws SQLException {
        return new Jdbc(admin, Dialect.H2)
                .number("SELECT COUNT(*) AS found FROM outbox_" + table)
                .orElseThrow();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "sa", "");
    }
}
