package io.outboxed.internal.capture;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.OutboxRow;
import io.outboxed.internal.store.jdbc.MessageInsert;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes rows on the connection of a JPA session. */
@ApplicationScoped
class JpaRowSink implements RowSink {

    @Inject
    JpaUnit unit;

    @Inject
    OutboxConfig config;

    private volatile MessageInsert insert;

    @Override
    public void write(List<OutboxRow> rows) {
        unit.write(connection -> insert(connection).insert(connection, rows));
    }

    /** The dialect is detected by the first transaction, because the database may be down when this bean is created. */
    private MessageInsert insert(Connection connection) throws SQLException {
        if (insert == null) {
            insert = new MessageInsert(
                    Dialect.from(connection.getMetaData()), config.database().tablePrefix());
        }
        return insert;
    }
}
