package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.OutboxRow;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageInsertTest {

    @Test
    void one_statement_takes_fifty_small_rows() {
        List<OutboxRow> rows = Collections.nCopies(120, row(10));

        assertThat(MessageInsert.end(rows, 0)).isEqualTo(50);
        assertThat(MessageInsert.end(rows, 50)).isEqualTo(100);
        assertThat(MessageInsert.end(rows, 100)).isEqualTo(120);
    }

    @Test
    void large_payloads_share_a_statement_up_to_a_mebibyte() {
        List<OutboxRow> rows = IntStream.of(1 << 19, 1 << 19, 1, 2 << 20, 1)
                .mapToObj(MessageInsertTest::row)
                .toList();

        assertThat(MessageInsert.end(rows, 0)).isEqualTo(2);
        assertThat(MessageInsert.end(rows, 2)).isEqualTo(3);
        assertThat(MessageInsert.end(rows, 3)).isEqualTo(4);
        assertThat(MessageInsert.end(rows, 4)).isEqualTo(5);
    }

    @Test
    void the_longest_statement_is_one_that_mysqls_driver_keeps_parsed() {
        String longestPrefix = "p".repeat(30);

        assertThat(new Sql(Dialect.MYSQL, longestPrefix).addMessages(MessageInsert.MAX_ROWS))
                .startsWith("INSERT INTO " + longestPrefix + "message")
                .hasSizeLessThan(2048);
    }

    private static OutboxRow row(int bytes) {
        return new OutboxRow(new UUID(0, 0), 0, 0, "", "", "t", "", null, bytes, null, 0, 0);
    }
}
