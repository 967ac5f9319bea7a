package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PublishOptions;
import io.outboxed.internal.hibernate.OutboxRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** How many rows are stored at once. */
interface RowBatchContract extends RowFixture {

    @Test
    default void many_rows_of_several_batches_are_numbered_in_their_order() throws SQLException {
        CaptureFixture door = new CaptureFixture();
        List<OutboxRow> rows = new ArrayList<>();
        for (int i = 0; i < 230; i++) {
            rows.add(door.stored(new Tick(i)));
        }
        long statements = statements();

        insert(rows);

        assertThat(statements() - statements).isEqualTo(5);
        List<String> stored = new ArrayList<>();
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT payload FROM outbox_message ORDER BY seq")) {
            while (found.next()) {
                stored.add(found.getString(1));
            }
        }
        assertThat(stored)
                .containsExactlyElementsOf(rows.stream().map(OutboxRow::payload).toList());
    }

    @Test
    default void rows_with_text_bytes_and_headers_share_a_batch_in_any_order() throws SQLException {
        CaptureFixture door = new CaptureFixture();
        List<OutboxRow> rows = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            PublishOptions options = PublishOptions.none().type("n" + i);
            rows.add(door.stored(
                    i % 3 == 0 ? new byte[] {(byte) i} : "\"text " + i + "\"",
                    i % 2 == 0 ? options : options.header("number", String.valueOf(i))));
        }

        insert(rows);

        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM outbox_message ORDER BY seq")) {
            for (OutboxRow row : rows) {
                found.next();
                assertThat(found.getString("type")).isEqualTo(row.type());
                assertThat(found.getString("payload")).isEqualTo(row.payload());
                assertThat(found.getBytes("payload_binary")).isEqualTo(row.payloadBinary());
                assertThat(found.getString("headers")).isEqualTo(row.headers());
            }
        }
    }

    private long statements() {
        return unit().unwrap(SessionFactory.class).getStatistics().getPrepareStatementCount();
    }
}
