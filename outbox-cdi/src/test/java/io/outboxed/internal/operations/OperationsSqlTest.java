package io.outboxed.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.partitions.HistoryRange;
import org.junit.jupiter.api.Test;

class OperationsSqlTest {
    private final OperationsSql sql = new OperationsSql(Dialect.POSTGRESQL, "shop_");

    @Test
    void an_event_is_looked_up_between_the_limits_of_a_range() {
        assertThat(sql.historyOf(new HistoryRange(500, 1000)))
                .endsWith(" FROM shop_history m WHERE m.id = ? AND m.processed_at >= 500 AND m.processed_at < 1000");
        assertThat(sql.contentOfHistory(new HistoryRange(HistoryRange.BEGINNING, 500)))
                .endsWith(" FROM shop_history m WHERE m.id = ? AND m.processed_at < 500 LIMIT 1");
        assertThat(sql.historyOf(new HistoryRange(HistoryRange.BEGINNING, HistoryRange.END)))
                .endsWith(" WHERE m.id = ?");
    }
}
