package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PublishOptions;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.store.jdbc.caller.AggregateLock;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What happens in the transaction of the application's session. */
interface RowSessionContract extends RowFixture {

    @Test
    default void messages_are_cancelled_and_found_in_the_transaction_of_the_session() throws SQLException {
        CaptureFixture door = new CaptureFixture();
        OutboxRow delayed = door.stored(new Tick(1), PublishOptions.none().delay(Duration.ofHours(1)));
        OutboxRow plain = door.stored(new Tick(2));
        insert(List.of(delayed, plain));
        try (EntityManager manager = manager()) {
            manager.getTransaction().begin();
            assertThat(store(manager).isStored(delayed.id())).isTrue();
            assertThat(store(manager).cancel(plain.id())).isFalse();
            assertThat(store(manager).cancel(delayed.id())).isTrue();
            assertThat(store(manager).isStored(delayed.id())).isFalse();
            manager.getTransaction().rollback();

            manager.getTransaction().begin();
            assertThat(store(manager).cancel(delayed.id())).isTrue();
            manager.getTransaction().commit();

            manager.getTransaction().begin();
            assertThat(store(manager).isStored(delayed.id())).isFalse();
            assertThat(store(manager).isStored(plain.id())).isTrue();
            manager.getTransaction().rollback();
        }
    }

    @Test
    default void an_aggregate_is_locked_in_the_transaction_of_the_session() throws SQLException {
        try (EntityManager manager = manager()) {
            manager.getTransaction().begin();
            store(manager).lock("o-1");
            assertThat(isFree("o-1")).isFalse();

            manager.getTransaction().commit();
            assertThat(isFree("o-1")).isTrue();
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

    @Test
    default void a_missing_row_to_lock_is_an_error() throws SQLException {
        int slot = AggregateLock.slot("o-1");
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                EntityManager manager = manager()) {
            statement.executeUpdate("DELETE FROM outbox_lock WHERE slot = " + slot);
            manager.getTransaction().begin();
            assertThatThrownBy(() -> store(manager).lock("o-1"))
                    .hasStackTraceContaining("row " + slot + " of outbox_lock is missing: run the schema file");
            manager.getTransaction().rollback();
            statement.executeUpdate("INSERT INTO outbox_lock (slot) VALUES (" + slot + ")");
        }
    }

    @Test
    default void a_row_of_the_inbox_is_part_of_the_transaction_of_the_session() throws SQLException {
        UUID rolledBack = UUID.randomUUID();
        UUID committed = UUID.randomUUID();
        try (EntityManager manager = manager()) {
            manager.getTransaction().begin();
            assertThat(store(manager).firstCall("mails", "1", rolledBack)).isEqualTo(rolledBack);
            manager.getTransaction().rollback();

            manager.getTransaction().begin();
            assertThat(store(manager).firstCall("mails", "1", committed)).isEqualTo(committed);
            manager.getTransaction().commit();

            manager.getTransaction().begin();
            assertThat(store(manager).firstCall("mails", "1", UUID.randomUUID()))
                    .isEqualTo(committed);
            manager.getTransaction().rollback();
        }
    }
}
