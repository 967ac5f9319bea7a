package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.EventType;
import io.outboxed.PublishOptions;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.jdbc.AggregateLock;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The persistence unit, as the jar ships it but without JTA, against the tables that the schema scripts make. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RowContract {

    @EventType("tick")
    public record Tick(int n) {}

    private EntityManagerFactory unit;

    abstract DataSource source() throws SQLException;

    abstract Dialect dialect();

    @BeforeAll
    final void open() throws SQLException {
        new Schema(this::connection, dialect(), "outbox_").create();
        unit = unit();
    }

    final EntityManagerFactory unit() throws SQLException {
        return Persistence.createEntityManagerFactory(
                "outbox",
                Map.of(
                        "jakarta.persistence.transactionType", "RESOURCE_LOCAL",
                        "jakarta.persistence.nonJtaDataSource", source(),
                        "hibernate.generate_statistics", "true",
                        "hibernate.session.events.log", "false"));
    }

    @AfterAll
    final void close() {
        if (unit != null) {
            unit.close();
        }
    }

    @BeforeEach
    final void empty() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM outbox_message");
            statement.executeUpdate("DELETE FROM outbox_inbox");
        }
    }

    @Test
    void a_row_is_stored_as_it_was_made_and_the_database_fills_the_rest() throws SQLException {
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
    void headers_with_any_text_are_stored_as_they_are() throws SQLException {
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
    void messages_are_cancelled_and_found_in_the_transaction_of_the_session() throws SQLException {
        CaptureFixture door = new CaptureFixture();
        OutboxRow delayed = door.stored(new Tick(1), PublishOptions.none().delay(Duration.ofHours(1)));
        OutboxRow plain = door.stored(new Tick(2));
        insert(List.of(delayed, plain));
        try (EntityManager manager = unit.createEntityManager()) {
            manager.getTransaction().begin();
            assertThat(sink(manager).isStored(delayed.id())).isTrue();
            assertThat(sink(manager).cancel(plain.id())).isFalse();
            assertThat(sink(manager).cancel(delayed.id())).isTrue();
            assertThat(sink(manager).isStored(delayed.id())).isFalse();
            manager.getTransaction().rollback();

            manager.getTransaction().begin();
            assertThat(sink(manager).cancel(delayed.id())).isTrue();
            manager.getTransaction().commit();

            manager.getTransaction().begin();
            assertThat(sink(manager).isStored(delayed.id())).isFalse();
            assertThat(sink(manager).isStored(plain.id())).isTrue();
            manager.getTransaction().rollback();
        }
    }

    @Test
    void an_instant_is_converted_by_the_clock_of_the_database() throws SQLException {
        try (EntityManager manager = unit.createEntityManager()) {
            manager.getTransaction().begin();
            JpaRowSink sink = sink(manager);
            long due = sink.now() + 3_600_000_000L;
            OutboxRow row = new CaptureFixture().stored(new Tick(1));
            sink.write(List.of(DeliveryTime.scheduled(row, due, sink.now())));
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

    @Test
    void bytes_and_the_largest_text_are_stored_whole() throws SQLException {
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
    void many_rows_of_several_batches_are_numbered_in_their_order() throws SQLException {
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
    void rows_with_text_bytes_and_headers_share_a_batch_in_any_order() throws SQLException {
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

    @Test
    void an_application_may_query_rows_in_jpql() {
        CaptureFixture door = new CaptureFixture();
        OutboxRow row =
                door.stored("\"text\"", PublishOptions.none().type("note.taken").aggregate("note", "n-1"));
        insert(List.of(row, door.stored(new Tick(1))));

        try (EntityManager manager = unit.createEntityManager()) {
            assertThat(manager.createQuery(
                                    "select r.id, r.type, r.payload from OutboxRow r"
                                            + " where r.aggregateType = :aggregate and r.status = 0 order by r.seq",
                                    Object[].class)
                            .setParameter("aggregate", "note")
                            .getResultList())
                    .containsExactly(new Object[] {row.id(), "note.taken", row.payload()});
            OutboxRow found = manager.find(OutboxRow.class, row.id());
            assertThat(found).usingRecursiveComparison().ignoringFields("seq").isEqualTo(row);
        }
    }

    @Test
    void an_application_may_not_change_rows_in_jpql() {
        try (EntityManager manager = unit.createEntityManager()) {
            assertThatThrownBy(() -> manager.createQuery("update OutboxRow r set r.type = 'other'"))
                    .hasStackTraceContaining("immutable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"other_", "outboxed.other_"})
    void rows_are_written_to_the_table_with_the_configured_prefix_and_schema(String prefix) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS outboxed");
        }
        new Schema(this::connection, dialect(), prefix).create();
        System.setProperty("outbox.table-prefix", prefix);
        try (EntityManagerFactory other = unit();
                EntityManager manager = other.createEntityManager()) {
            JpaRowSink sink = sink(manager);
            sink.config = OutboxConfigReader.read(ConfigProvider.getConfig());
            manager.getTransaction().begin();
            sink.lock("o-1");
            UUID claim = UUID.randomUUID();
            assertThat(sink.claim("mails", "1", claim)).isEqualTo(claim);
            sink.write(List.of(new CaptureFixture().stored(new Tick(1)), new CaptureFixture().stored(new Tick(2))));
            manager.getTransaction().commit();
            assertThat(manager.createQuery("select count(r) from OutboxRow r", Long.class)
                            .getSingleResult())
                    .isEqualTo(2);
        } finally {
            System.clearProperty("outbox.table-prefix");
        }

        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT (SELECT COUNT(*) FROM " + prefix
                        + "message) AS other, (SELECT COUNT(*) FROM outbox_message) AS usual")) {
            found.next();
            assertThat(found.getInt("other")).isEqualTo(2);
            assertThat(found.getInt("usual")).isZero();
        }
    }

    @Test
    void an_aggregate_is_locked_in_the_transaction_of_the_session() throws SQLException {
        try (EntityManager manager = unit.createEntityManager()) {
            manager.getTransaction().begin();
            sink(manager).lock("o-1");
            assertThat(isFree("o-1")).isFalse();

            manager.getTransaction().commit();
            assertThat(isFree("o-1")).isTrue();
        }
    }

    @Test
    void a_row_of_the_inbox_is_part_of_the_transaction_of_the_session() throws SQLException {
        UUID rolledBack = UUID.randomUUID();
        UUID committed = UUID.randomUUID();
        try (EntityManager manager = unit.createEntityManager()) {
            manager.getTransaction().begin();
            assertThat(sink(manager).claim("mails", "1", rolledBack)).isEqualTo(rolledBack);
            manager.getTransaction().rollback();

            manager.getTransaction().begin();
            assertThat(sink(manager).claim("mails", "1", committed)).isEqualTo(committed);
            manager.getTransaction().commit();

            manager.getTransaction().begin();
            assertThat(sink(manager).claim("mails", "1", UUID.randomUUID())).isEqualTo(committed);
            manager.getTransaction().rollback();
        }
    }

    @Test
    void a_missing_row_to_lock_is_an_error() throws SQLException {
        int slot = AggregateLock.slot("o-1");
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                EntityManager manager = unit.createEntityManager()) {
            statement.executeUpdate("DELETE FROM outbox_lock WHERE slot = " + slot);
            manager.getTransaction().begin();
            assertThatThrownBy(() -> sink(manager).lock("o-1"))
                    .hasStackTraceContaining("row " + slot + " of outbox_lock is missing: run the schema file");
            manager.getTransaction().rollback();
            statement.executeUpdate("INSERT INTO outbox_lock (slot) VALUES (" + slot + ")");
        }
    }

    private boolean isFree(String aggregateId) throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try (ResultSet row = statement.executeQuery("SELECT slot FROM outbox_lock WHERE slot = "
                    + AggregateLock.slot(aggregateId) + " FOR UPDATE SKIP LOCKED")) {
                return row.next();
            } finally {
                connection.rollback();
            }
        }
    }

    /** Of the unit, to be closed by the caller. */
    final EntityManager manager() {
        return unit.createEntityManager();
    }

    static JpaRowSink sink(EntityManager manager) {
        JpaRowSink sink = new JpaRowSink();
        sink.unit = new JpaUnit();
        sink.unit.unit = manager;
        sink.config = OutboxConfig.DEFAULTS;
        return sink;
    }

    private void insert(List<OutboxRow> rows) {
        try (EntityManager manager = unit.createEntityManager()) {
            JpaRowSink sink = sink(manager);
            manager.getTransaction().begin();
            sink.write(rows);
            manager.getTransaction().commit();
        }
    }

    private long statements() {
        return unit.unwrap(SessionFactory.class).getStatistics().getPrepareStatementCount();
    }

    private UUID uuid(ResultSet row) throws SQLException {
        if (row.getObject("id") instanceof UUID id) {
            return id;
        }
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes("id"));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private Connection connection() throws SQLException {
        return source().getConnection();
    }
}
