package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.RetentionPolicy;
import io.outboxed.internal.retention.WholeCleanup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What becomes of old rows. */
interface DroppedPartitionsContract extends PartitionsFixture {

    @Test
    default void old_partitions_are_dropped_with_their_rows_and_foreign_ones_stay() throws Exception {
        execute(addForeign("audit", rows().ago(DAY.multipliedBy(30))));
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(20))));
        execute(addForeign("p20010102", rows().ago(DAY.multipliedBy(5))));
        rows().history(rows().ago(DAY.multipliedBy(31)), 1);
        rows().history(rows().ago(DAY.multipliedBy(21)), 2);
        rows().history(rows().ago(DAY.multipliedBy(6)), 4);
        rows().history(rows().ago(Duration.ZERO), 8);
        PartitionSettings week = days(2, Optional.of(DAY.multipliedBy(7)));
        PartitionDryRun dryRun = maintainer(week).dryRun(admin());

        assertThat(dryRun.plan().dropped()).extracting(HistoryPartition::name).containsExactly("p20010101");
        assertThat(run(week)).isEqualTo(new PartitionRun.Done(dryRun.statements()));
        assertThat(count()).isEqualTo(1 + 4 + 8);
        assertThat(layout().partitions())
                .extracting(HistoryPartition::name)
                .contains("audit", "p20010102")
                .doesNotContain("p20010101");
    }

    @Test
    default void old_partitions_are_dropped_even_if_none_can_be_added() throws Exception {
        PartitionMaintainer week = maintainer(days(2, Optional.of(DAY.multipliedBy(7))));
        execute(addForeign("p20010101", rows().ago(DAY.multipliedBy(30))));
        String next = week.dryRun(admin()).plan().added().get(0).name();
        List<String> recorded = new ArrayList<>();
        Connection refusing = refusing(next, rows().ago(DAY.multipliedBy(20)));
        try {
            assertThatThrownBy(() -> week.run(refusing, (jdbc, progress) -> recorded.add(progress.words())))
                    .isInstanceOf(SQLException.class)
                    .hasNoSuppressedExceptions();
        } finally {
            execute("DROP TABLE IF EXISTS " + HISTORY + "_" + next);
        }
        assertThat(layout().partitions()).extracting(HistoryPartition::name).doesNotContain("p20010101", next);
        assertThat(recorded).last().isEqualTo("dropped p20010101");
    }

    @Test
    default void what_no_partition_can_drop_is_deleted_row_by_row() throws Exception {
        execute(addForeign("audit", rows().ago(DAY.multipliedBy(30))));
        run(days(2, FOR_EVER));
        rows().history(rows().ago(DAY.multipliedBy(31)), 10);
        rows().history(rows().ago(Duration.ZERO), 5);
        RetentionPolicy policy = new RetentionPolicy(Map.of(AgedTable.HISTORY, DAY.multipliedBy(9)), 3);

        assertThat(WholeCleanup.run(new Cleanup(dialect(), PREFIX), admin(), policy))
                .isEqualTo(Map.of(AgedTable.HISTORY, 10L));
        assertThat(count()).isEqualTo(5);
    }
}
