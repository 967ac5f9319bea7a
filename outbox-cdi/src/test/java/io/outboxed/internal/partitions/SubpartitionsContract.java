package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import org.junit.jupiter.api.Test;

/** MySQL and MariaDB divide partitions once more if an administrator says so. */
interface SubpartitionsContract extends PartitionsFixture {

    @Test
    default void a_history_with_subpartitions_is_refused() throws Exception {
        execute("ALTER TABLE " + HISTORY + " PARTITION BY RANGE (processed_at) SUBPARTITION BY HASH (processed_at)"
                + " SUBPARTITIONS 2 (PARTITION p20250101 VALUES LESS THAN (1000),"
                + " PARTITION pmax VALUES LESS THAN MAXVALUE)");

        assertThatThrownBy(() -> run(days(2, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0312")
                .hasMessageContaining("with subpartitions by HASH");
    }
}
