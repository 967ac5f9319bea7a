package io.outboxed.internal.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowInsertTest {

    @Test
    void one_batch_takes_fifty_small_rows() {
        List<OutboxRow> rows = Collections.nCopies(120, row(10));

        assertThat(RowInsert.end(rows, 0)).isEqualTo(50);
        assertThat(RowInsert.end(rows, 50)).isEqualTo(100);
        assertThat(RowInsert.end(rows, 100)).isEqualTo(120);
    }

    @Test
    void large_payloads_share_a_batch_up_to_a_mebibyte() {
        List<OutboxRow> rows = IntStream.of(1 << 19, 1 << 19, 1, 2 << 20, 1)
                .mapToObj(RowInsertTest::row)
                .toList();

        assertThat(RowInsert.end(rows, 0)).isEqualTo(2);
        assertThat(RowInsert.end(rows, 2)).isEqualTo(3);
        assertThat(RowInsert.end(rows, 3)).isEqualTo(4);
        assertThat(RowInsert.end(rows, 4)).isEqualTo(5);
    }

    private static OutboxRow row(int bytes) {
        return new OutboxRow(new UUID(0, 0), 0, 0, "", "", "t", "", null, bytes, null, 0, 0);
    }
}
