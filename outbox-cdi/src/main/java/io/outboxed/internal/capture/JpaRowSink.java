package io.outboxed.internal.capture;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.OutboxRow;
import io.outboxed.internal.store.jdbc.AggregateLock;
import io.outboxed.internal.store.jdbc.MessageInsert;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes and locks on the connection of a JPA session. */
@ApplicationScoped
class JpaRowSink implements RowSink {

    @Inject
    JpaUnit unit;

    @Inject
    OutboxConfig config;

    private volatile MessageInsert insert;
    private volatile AggregateLock lock;

    @Override
    public void write(List<OutboxRow> rows) {
        unit.write(connection -> insert(connection).insert(connection, rows));
    }

    @Override
    public void lock(String aggregateId) {
        unit.write(connection -> lock(connection).take(connection, aggregateId));
    }

    /** The dialect is detected by the first transaction, because the database may be down when this bean is created. */
    private MessageInsert insert(Connection connection) throws SQLException {
        if (insert == null) {
            insert = new MessageInsert(
                    Dialect.from(connection.getMetaData()), config.database().tablePrefix());
        }
        return insert;
    }

    private AggregateLock lock(Connection connection) throws SQLException {
        if (lock == null) {
            lock = new AggregateLock(
                    Dialect.from(connection.getMetaData()), config.database().tablePrefix());
        }
        return lock;
    }
}
