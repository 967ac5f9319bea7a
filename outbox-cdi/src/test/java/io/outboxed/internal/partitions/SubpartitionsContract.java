package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.OutboxException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** MySQL and MariaDB divide partitions once more if an administrator says so, partition a table anew, and quote names. */
interface SubpartitionsContract extends PartitionsFixture {
    String WITH_SUBPARTITIONS = "ALTER TABLE " + HISTORY + " PARTITION BY RANGE (processed_at)"
            + " SUBPARTITION BY HASH (processed_at) SUBPARTITIONS 2 (PARTITION p20250101 VALUES LESS THAN (1000),"
            + " PARTITION pmax VALUES LESS THAN MAXVALUE)";

    @Test
    default void a_history_with_subpartitions_is_refused() throws Exception {
        execute(WITH_SUBPARTITIONS);

        assertThatThrownBy(() -> run(days(2, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0312")
                .hasMessageContaining("with subpartitions by HASH");
    }

    /** MariaDB shows the names of a table in the quotes that the session writes; MySQL, always in its own. */
    @Test
    default void partitions_are_maintained_whatever_quotes_the_session_writes() throws Exception {
        execute("SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',ANSI_QUOTES')");
        rows().history(rows().ago(DAY), 3);

        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(layout().partitions()).isNotEmpty();
        assertThat(countTail()).isZero();
    }

    @Test
    default void the_dry_run_has_the_statement_with_which_an_administrator_creates_all_partitions() throws Exception {
        rows().history(rows().ago(DAY), 3);
        for (String unsuitable : List.of(WITH_SUBPARTITIONS, "ALTER TABLE " + HISTORY + " REMOVE PARTITIONING")) {
            execute(unsuitable);
            PartitionMaintainer maintainer = maintainer(days(10, FOR_EVER));
            OutboxException refusal = catchThrowableOfType(OutboxException.class, () -> maintainer.dryRun(admin()));

            execute(refusal.getMessage().replaceAll("(?s).* or run (ALTER TABLE .*), which copies them.*", "$1"));
            assertThat(maintainer.dryRun(admin()).statements()).as(unsuitable).isEmpty();
            assertThat(layout().partitions()).as(unsuitable).hasSizeGreaterThan(9);
            assertThat(List.of(count(), (int) countTail())).as(unsuitable).containsExactly(3, 0);
        }
    }
}
