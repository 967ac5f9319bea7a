package io.outboxed.internal.capture;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.Dialect;
import io.outboxed.internal.store.MessageInsert;
import io.outboxed.internal.store.OutboxRow;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.Session;

/**
 * Writes rows by the connection of a JPA session. The entity manager must be the container's own: on Payara a plain
 * connection or an application-managed one is not part of the transaction while it commits, and the rows would survive a
 * rollback.
 */
@ApplicationScoped
class JpaRowSink implements RowSink {

    @PersistenceContext(unitName = "outbox")
    EntityManager unit;

    @Inject
    OutboxConfig config;

    private volatile MessageInsert insert;

    @Override
    public void write(List<OutboxRow> rows) {
        unit.unwrap(Session.class).doWork(connection -> insert(connection).insert(connection, rows));
    }

    /** The database is asked which one it is by the first transaction: while this bean is made, it may be down. */
    private MessageInsert insert(Connection connection) throws SQLException {
        if (insert == null) {
            insert = new MessageInsert(
                    Dialect.from(connection.getMetaData()), config.database().tablePrefix());
        }
        return insert;
    }
}
