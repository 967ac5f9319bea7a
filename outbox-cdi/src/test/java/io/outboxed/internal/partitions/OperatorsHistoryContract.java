package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.schema.Schema;
import org.junit.jupiter.api.Test;

/** A history to which an operator has added something, on PostgreSQL. */
interface OperatorsHistoryContract extends PartitionsFixture {

    @Test
    default void partitions_are_added_to_a_history_with_a_column_that_the_database_computes() throws Exception {
        execute("ALTER TABLE " + HISTORY + " ADD COLUMN \"Day\" BIGINT GENERATED ALWAYS AS (processed_at / 86400000000)"
                + " STORED, ADD COLUMN \"order\" TEXT");
        run(days(2, FOR_EVER));
        rows().history(rows().ago(DAY.multipliedBy(-10)), 3);
        execute("UPDATE " + HISTORY + " SET \"order\" = 'kept'");

        assertThat(run(days(12, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(countTail()).isZero();
        assertThat(count(HISTORY + " WHERE \"order\" = 'kept' AND \"Day\" = processed_at / 86400000000"))
                .isEqualTo(3);
    }

    /** As a guide to PostgreSQL says, before the history is maintained by us. */
    @Test
    default void rows_that_are_older_than_the_first_partition_leave_the_tail_in_a_conversion() throws Exception {
        rows().history(rows().ago(DAY.multipliedBy(400)), 20);
        execute("CREATE TABLE " + HISTORY + "_by_hand PARTITION OF " + HISTORY + " FOR VALUES FROM ("
                + rows().ago(DAY.multipliedBy(-20)) + ") TO (" + rows().ago(DAY.multipliedBy(-50)) + ")");
        assertThat(run(few(2))).isInstanceOf(PartitionRun.TailTooLong.class);

        PartitionDryRun dryRun = maintainer(few(2).withAnyTail()).dryRun(admin());
        assertThat(run(few(2).withAnyTail())).isEqualTo(new PartitionRun.Done(dryRun.statements()));
        assertThat(countTail()).isZero();
        assertThat(count()).isEqualTo(20);
        assertThat(run(few(4))).as("the next period").isInstanceOf(PartitionRun.Done.class);
        new Schema(this::connect, dialect(), PREFIX).verify();
    }

    private static PartitionSettings few(int daysAhead) {
        return new PartitionSettings(
                Period.DAY,
                DAY.multipliedBy(daysAhead),
                FOR_EVER,
                10,
                PartitionSettings.DEFAULT_MAX_TAIL_BYTES,
                PartitionSettings.DEFAULT_LOCK_WAIT,
                PartitionSettings.DEFAULT_STATEMENT_LIMIT);
    }
}
