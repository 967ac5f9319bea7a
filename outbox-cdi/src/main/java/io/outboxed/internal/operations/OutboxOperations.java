package io.outboxed.internal.operations;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import java.sql.Connection;
import java.sql.SQLException;

/** The operations on the tables of one prefix in one database. Connections are opened when they are needed. */
public final class OutboxOperations implements AutoCloseable {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final String prefix;
    private final JdbcRelayStore store;
    private final DeadLetterStore deadLetters;
    private final RetiredDeliveries retiredDeliveries;
    private final MessageSearch messages;
    private final OldRows oldRows;

    /** @param source opens connections that take part in no JTA transaction */
    public OutboxOperations(ConnectionSource source, Dialect dialect, String prefix) {
        this.source = source;
        this.dialect = dialect;
        this.prefix = prefix;
        this.store = new JdbcRelayStore(source, dialect, prefix, false, dropped -> {});
        this.deadLetters = new DeadLetterStore(source, dialect, prefix);
        this.retiredDeliveries = new RetiredDeliveries(source, dialect, prefix);
        this.messages = new MessageSearch(source, dialect, prefix);
        this.oldRows = new OldRows(source, dialect, prefix);
    }

    /** Connects once to find out which database it is. */
    public static OutboxOperations open(ConnectionSource source, String prefix) {
        try (Connection connection = source.open()) {
            return new OutboxOperations(source, Dialect.from(connection.getMetaData()), prefix);
        } catch (SQLException e) {
            throw SqlFailure.toStoreException("connecting to the database", e);
        }
    }

    public OutboxStatus status() {
        return new StatusReader(source, dialect, prefix, store.store()).read();
    }

    public DeadLetterStore deadLetters() {
        return deadLetters;
    }

    public RetiredDeliveries retiredDeliveries() {
        return retiredDeliveries;
    }

    public MessageSearch messages() {
        return messages;
    }

    public OldRows oldRows() {
        return oldRows;
    }

    public HistoryPartitions partitions() {
        return new HistoryPartitions(source, dialect, prefix);
    }

    public Schema schema() {
        return new Schema(source, dialect, prefix);
    }

    public DatabaseDoctor doctor() {
        return new DatabaseDoctor(source, dialect, prefix);
    }

    public DatabaseDescription description() {
        return DatabaseDescription.of(source);
    }

    /** The database's clock, in microseconds since 1970 UTC. */
    public long clock() {
        return store.store().statistics().clock();
    }

    @Override
    public void close() {
        oldRows.close();
        messages.close();
        retiredDeliveries.close();
        deadLetters.close();
        store.close();
    }
}
