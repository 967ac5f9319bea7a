package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.schema.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which partitions a history gets, and where its rows go. */
interface NewPartitionsContract extends PartitionsFixture {

    @Test
    default void an_empty_history_gets_its_partitions_and_a_second_run_changes_nothing() throws Exception {
        PartitionRun run = run(days(30, FOR_EVER));

        assertThat(run).isInstanceOf(PartitionRun.Done.class);
        assertThat(layout().partitions()).hasSizeBetween(30, 31);
        assertThat(layout().partitions().get(0).from()).isEqualTo(HistoryPartition.BEGINNING);
        assertThat(run(days(30, FOR_EVER))).isEqualTo(new PartitionRun.Done(List.of()));
        new Schema(this::connect, dialect(), PREFIX).verify();
    }

    @Test
    default void rows_go_to_the_partition_of_their_time_and_the_tail_stays_empty() throws Exception {
        run(days(2, FOR_EVER));
        rows().history(rows().ago(Duration.ZERO), 3);
        rows().history(rows().ago(DAY.multipliedBy(100)), 2);
        rows().history(rows().ago(DAY.multipliedBy(-20)), 4);

        assertThat(count()).isEqualTo(9);
        assertThat(countTail()).as("beyond the look-ahead").isEqualTo(4);
    }

    @Test
    default void hours_and_months_follow_each_other() throws Exception {
        run(PartitionSettings.of(Period.HOUR, Duration.ofHours(5), FOR_EVER));
        int hours = layout().partitions().size();
        run(PartitionSettings.of(Period.MONTH, DAY.multipliedBy(62), FOR_EVER));

        assertThat(hours).isBetween(5, 6);
        assertThat(layout().partitions()).hasSizeBetween(hours + 2, hours + 4);
    }

    @Test
    default void a_history_in_another_schema_is_maintained() throws Exception {
        String prefix = "outboxed.parted_";
        execute("CREATE SCHEMA IF NOT EXISTS outboxed");
        execute("DROP TABLE IF EXISTS " + prefix + "history");
        Schema schema = new Schema(this::connect, dialect(), prefix);
        schema.create();
        OldRows elsewhere = new OldRows(admin(), dialect(), prefix);
        elsewhere.history(rows().ago(DAY.multipliedBy(20)), 4);
        elsewhere.history(rows().ago(Duration.ZERO), 2);
        PartitionMaintainer all = new PartitionMaintainer(dialect(), prefix, days(3, FOR_EVER));

        assertThat(all.run(admin())).isInstanceOf(PartitionRun.Done.class);
        assertThat(all.run(admin())).isEqualTo(new PartitionRun.Done(List.of()));
        assertThat(layout().partitions())
                .as("of the table in the connection's schema")
                .isEmpty();
        assertThat(count(prefix + "history")).isEqualTo(6);
        PartitionMaintainer later =
                new PartitionMaintainer(dialect(), prefix, days(10, Optional.of(DAY.multipliedBy(7))));
        assertThat(later.run(admin()).statements()).isNotEmpty();
        schema.verify();
    }

    @Test
    default void each_change_is_logged() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            List<String> statements = run(days(2, FOR_EVER)).statements();
            assertThat(statements)
                    .isNotEmpty()
                    .allSatisfy(statement -> assertThat(log.lines)
                            .contains("INFO OUTBOX-0464 changing the partitions of the history: " + statement));
        }
    }
}
