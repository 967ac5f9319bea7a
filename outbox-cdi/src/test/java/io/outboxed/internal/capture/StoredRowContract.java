package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.PublishOptions;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.hibernate.OutboxRow;
import jakarta.persistence.EntityManager;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is stored of an event. */
interface StoredRowContract extends RowFixture {

    @Test
    default void a_row_is_stored_as_it_was_made_and_the_database_fills_the_rest() throws SQLException {
        CaptureFixture door = new CaptureFixture();
        door.registry.raise(3);
        OutboxRow row = door.stored(
                "{\"text\":\"Grüße \uD83C\uDF75 \uDBFF\uDFFD\"}",
                PublishOptions.none()
                        .type("note.taken")
                        .aggregate("note", "n-1")
                        .delay(Duration.ofSeconds(1))
                        .header("trace", "ü"));

        insert(List.of(row));

        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM outbox_message")) {
            assertThat(found.next()).isTrue();
            assertThat(uuid(found)).isEqualTo(row.id());
            assertThat(found.getLong("seq")).isPositive();
            assertThat(found.getInt("shard")).isEqualTo(row.shard());
            assertThat(found.getLong("lane")).isEqualTo(row.lane());
            assertThat(found.getInt("status")).isZero();
            assertThat(found.getInt("version")).isZero();
            assertThat(found.getInt("starts")).isZero();
            assertThat(found.getString("aggregate_type")).isEqualTo("note");
            assertThat(found.getString("aggregate_id")).isEqualTo("n-1");
            assertThat(found.getString("type")).isEqualTo("note.taken");
            assertThat(found.getString("payload")).isEqualTo(row.payload());
            assertThat(found.getBytes("payload_binary")).isNull();
            assertThat(found.getInt("payload_size")).isEqualTo(row.payloadSize());
            assertThat(found.getString("headers")).isEqualTo("{\"trace\":\"ü\"}");
            assertThat(found.getLong("delay_micros")).isEqualTo(1_000_000);
            assertThat(found.getLong("registry_version")).isEqualTo(3);
            assertThat(found.getTimestamp("created_at")).isNotNull();
            assertThat(found.next()).isFalse();
        }
    }

    @Test
    default void headers_with_any_text_are_stored_as_they_are() throws SQLException {
        StringBuilder odd = new StringBuilder("\"\\/{}[]'\u007F\u0085\u2028Grüße \uD83C\uDF75 \uDBFF\uDFFD ");
        for (char c = 1; c < ' '; c++) {
            odd.append(c);
        }
        OutboxRow row = new CaptureFixture()
                .stored(
                        new Tick(1),
                        PublishOptions.none().header("odd", odd.toString()).header("long", "\u20ac".repeat(3_700)));

        insert(List.of(row));

        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT headers FROM outbox_message")) {
            found.next();
            assertThat(found.getString(1)).isEqualTo(row.headers()).hasSizeGreaterThan(3_900);
        }
    }

    @Test
    default void bytes_and_the_largest_text_are_stored_whole() throws SQLException {
        CaptureFixture door = new CaptureFixture();
        String large = "\"" + "\u00fc".repeat((1 << 19) - 1) + "\"";
        insert(List.of(
                door.stored(large, PublishOptions.none().type("large")),
                door.stored(new byte[] {0, -1, 127}, PublishOptions.none().type("bytes"))));

        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("SELECT payload, payload_binary FROM outbox_message ORDER BY seq")) {
            found.next();
            assertThat(found.getString(1)).isEqualTo(large);
            found.next();
            assertThat(found.getString(1)).isNull();
            assertThat(found.getBytes(2)).containsExactly(0, -1, 127);
        }
    }

    @Test
    default void an_instant_is_converted_by_the_clock_of_the_database() throws SQLException {
        try (EntityManager manager = manager()) {
            manager.getTransaction().begin();
            JpaCaptureStore store = store(manager);
            long due = store.now() + 3_600_000_000L;
            OutboxRow row = new CaptureFixture().stored(new Tick(1));
            store.write(List.of(DeliveryTime.scheduled(row, due, store.now())));
            manager.getTransaction().commit();

            assertThat(dueAt()).isBetween(due, due + 10_000_000);
        }
    }

    private long dueAt() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(new SqlText(dialect(), "outbox_")
                        .of("SELECT :created + m.delay_micros AS due FROM outbox_message m"))) {
            found.next();
            return found.getLong(1);
        }
    }

    private static UUID uuid(ResultSet row) throws SQLException {
        if (row.getObject("id") instanceof UUID id) {
            return id;
        }
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes("id"));
        return new UUID(bytes.getLong(), bytes.getLong());
    }
}
