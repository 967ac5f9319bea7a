package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

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
}
