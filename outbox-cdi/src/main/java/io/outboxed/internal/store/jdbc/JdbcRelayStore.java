package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.function.Consumer;

/** A relay's store with its own few connections. Close it after the relay has stopped. */
public final class JdbcRelayStore implements AutoCloseable {
    private static final int CONNECTIONS = 3;

    private final Connections connections;
    /** Heartbeats use their own connection, whatever the others wait for. */
    private final Connections heart;
    /** Counting a million rows must not block the relay. */
    private final Connections spectator;

    private final RelayStore store;

    /**
     * @param source opens connections that take part in no JTA transaction; at most five at a time
     * @param dropped hears what the database refused and what was left out for that: an error text, a row of the history
     */
    public JdbcRelayStore(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped) {
        Sql sql = new Sql(dialect, prefix);
        this.connections = new Connections(source, dialect, CONNECTIONS);
        this.heart = new Connections(source, dialect, 1);
        this.spectator = new Connections(source, dialect, 1, Duration.ZERO, System::nanoTime);
        this.store = new RelayStore(
                new JdbcNodes(heart, sql),
                new JdbcShards(connections, sql),
                new JdbcHandlers(connections, sql),
                new JdbcReading(connections, sql),
                new JdbcBatchedAcks(connections, sql, keepHistory, dropped),
                new JdbcFencedWrites(connections, sql, keepHistory, dropped),
                new JdbcBacklog(spectator, sql));
    }

    public RelayStore store() {
        return store;
    }

    @Override
    public void close() {
        heart.close();
        spectator.close();
        connections.close();
    }
}
