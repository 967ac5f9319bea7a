package io.outboxed.internal.capture;

import io.outboxed.EventType;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.hibernate.OutboxRow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The persistence unit and the tables that the contracts of rows use. */
interface RowFixture {

    @EventType("tick")
    record Tick(int n) {}

    Dialect dialect();

    Connection connection() throws SQLException;

    /** Shared by the tests of a class. */
    EntityManagerFactory unit();

    /** To be closed by the caller. */
    EntityManagerFactory newUnit() throws SQLException;

    /** To be closed by the caller. */
    default EntityManager manager() {
        return unit().createEntityManager();
    }

    default JpaCaptureStore store(EntityManager manager) {
        JpaCaptureStore store = new JpaCaptureStore();
        store.unit = new JpaUnit();
        store.unit.unit = manager;
        store.config = OutboxConfig.DEFAULTS;
        return store;
    }

    default void insert(List<OutboxRow> rows) {
        try (EntityManager manager = manager()) {
            JpaCaptureStore store = store(manager);
            manager.getTransaction().begin();
            store.write(rows);
            manager.getTransaction().commit();
        }
    }
}
