package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import org.junit.jupiter.api.Test;

/** Which histories are refused. */
interface UnsuitableHistoryContract extends PartitionsFixture {

    @Test
    default void a_history_without_a_tail_is_refused() throws Exception {
        run(days(2, FOR_EVER));
        execute(withoutTail());

        assertThatThrownBy(() -> run(days(10, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0312")
                .hasMessageContaining("Nothing was changed");
    }

    @Test
    default void a_history_without_partitions_is_refused() throws Exception {
        for (String statement : withoutPartitions()) {
            execute(statement);
        }

        assertThatThrownBy(() -> run(days(2, FOR_EVER)))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0312")
                .hasMessageContaining("null: not at all");
    }
}
