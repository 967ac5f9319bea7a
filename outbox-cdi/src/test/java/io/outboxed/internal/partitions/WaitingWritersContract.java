package io.outboxed.internal.partitions;

import static io.outboxed.internal.store.JdbcContract.elsewhere;
import static io.outboxed.internal.store.JdbcContract.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.BatchRecorder;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.retention.OldRows;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** PostgreSQL routes a row to its partition before it waits for this partition, and not again afterwards. */
interface WaitingWritersContract extends PartitionsFixture {

    @Test
    default void a_row_that_waits_while_the_first_partition_is_added_is_stored_there() throws Exception {
        assertThatARowThatWaitsIsStoredInTheNewPartition(rows().ago(Duration.ZERO));
    }

    @Test
    default void a_row_that_waits_while_the_partition_of_now_is_added_after_an_absence_is_stored_there()
            throws Exception {
        execute(addForeign("long_ago", rows().ago(DAY.multipliedBy(10))));
        assertThatARowThatWaitsIsStoredInTheNewPartition(rows().ago(Duration.ZERO));
    }

    @Test
    default void a_row_that_waits_while_the_partition_of_the_next_minutes_is_added_is_stored_there() throws Exception {
        execute(addForeign("current", rows().ago(Duration.ofMinutes(-5))));
        assertThatARowThatWaitsIsStoredInTheNewPartition(rows().ago(Duration.ofMinutes(-6)));
    }

    /** It has no limit of time, so the time of any partition may have come before that is added. */
    @Test
    default void in_a_conversion_rows_are_kept_waiting_before_they_are_routed_whatever_the_time_of_the_partition()
            throws Exception {
        rows().history(rows().ago(Duration.ZERO), 3);
        List<String> statements =
                maintainer(days(5, FOR_EVER).withAnyTail()).dryRun(admin()).statements();

        assertThat(statements)
                .filteredOn(each -> each.startsWith("CREATE TABLE") && each.contains("(LIKE"))
                .hasSizeGreaterThan(2)
                .allSatisfy(create -> assertThat(statements.get(statements.indexOf(create) - 2))
                        .isEqualTo("LOCK TABLE ONLY " + HISTORY + " IN ACCESS EXCLUSIVE MODE"));
    }

    private void assertThatARowThatWaitsIsStoredInTheNewPartition(long time) throws Exception {
        List<CompletableFuture<Boolean>> writes = new ArrayList<>();
        try (Connection other = connect()) {
            OldRows writer = new OldRows(other, dialect(), PREFIX);
            BatchRecorder<PartitionProgress> writing = (jdbc, progress) -> {
                if (writes.isEmpty()) {
                    writes.add(elsewhere(() -> {
                        writer.history(time, 1);
                        return true;
                    }));
                    waitUntilThisKeepsAnotherWaiting(jdbc);
                }
            };
            assertThat(maintainer(days(2, FOR_EVER)).run(admin(), writing)).isInstanceOf(PartitionRun.Done.class);
            assertThat(result(writes.get(0))).isTrue();
        }
        assertThat(count()).isEqualTo(1);
        assertThat(countTail()).isZero();
    }

    @Test
    default void while_the_partition_of_a_later_day_is_added_rows_of_now_are_written() throws Exception {
        run(days(2, FOR_EVER));
        try (Connection other = connect()) {
            new Jdbc(other, dialect()).update("SET lock_timeout = '1s'");
            OldRows writer = new OldRows(other, dialect(), PREFIX);

            maintainer(days(3, FOR_EVER))
                    .run(admin(), (jdbc, progress) -> writer.history(rows().ago(Duration.ZERO), 1));
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    default void a_transaction_that_has_read_the_history_writes_to_it_while_a_change_waits_for_its_end()
            throws Exception {
        try (Connection business = connect();
                Connection watching = connect()) {
            Jdbc reader = new Jdbc(business, dialect());
            reader.update("SET lock_timeout = '500ms'");
            business.setAutoCommit(false);
            reader.exists("SELECT id FROM " + HISTORY);
            CompletableFuture<PartitionRun> change = elsewhere(() -> run(days(2, FOR_EVER)));
            Jdbc watcher = new Jdbc(watching, dialect());
            Await.until(
                    "the change waits",
                    () -> PartitionLocksContract.exists(watcher, "SELECT 1 FROM pg_locks WHERE NOT granted"));

            new OldRows(business, dialect(), PREFIX).history(rows().ago(Duration.ZERO), 1);
            business.commit();
            result(change);
        }
        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(count()).isEqualTo(1);
    }

    static void waitUntilThisKeepsAnotherWaiting(Jdbc session) {
        Await.until(
                "this keeps another session waiting",
                () -> PartitionLocksContract.exists(
                        session,
                        "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"));
    }
}
