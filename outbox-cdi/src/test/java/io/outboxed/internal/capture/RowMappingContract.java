package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PublishOptions;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.schema.Schema;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How rows map to tables and to JPQL. */
interface RowMappingContract extends RowFixture {

    @Test
    default void an_application_may_query_rows_in_jpql() {
        CaptureFixture door = new CaptureFixture();
        OutboxRow row =
                door.stored("\"text\"", PublishOptions.none().type("note.taken").aggregate("note", "n-1"));
        insert(List.of(row, door.stored(new Tick(1))));

        try (EntityManager manager = manager()) {
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
    default void an_application_may_not_change_rows_in_jpql() {
        try (EntityManager manager = manager()) {
            assertThatThrownBy(() -> manager.createQuery("update OutboxRow r set r.type = 'other'"))
                    .hasStackTraceContaining("immutable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"other_", "outboxed.other_"})
    default void rows_are_written_to_the_table_with_the_configured_prefix_and_schema(String prefix)
            throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS outboxed");
        }
        new Schema(this::connection, dialect(), prefix).create();
        System.setProperty("outbox.table-prefix", prefix);
        try (EntityManagerFactory other = newUnit();
                EntityManager manager = other.createEntityManager()) {
            JpaCaptureStore store = store(manager);
            store.config = OutboxConfigReader.read(ConfigProvider.getConfig());
            manager.getTransaction().begin();
            store.lock("o-1");
            UUID call = UUID.randomUUID();
            assertThat(store.firstCall("mails", "1", call)).isEqualTo(call);
            store.write(List.of(new CaptureFixture().stored(new Tick(1)), new CaptureFixture().stored(new Tick(2))));
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
}
