package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ReservedShards;
import io.outboxed.internal.store.jdbc.locks.ClaimRows;
import io.outboxed.internal.store.jdbc.locks.LaneRights;
import io.outboxed.internal.store.jdbc.locks.LockSession;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A relay's store with its own small pool of connections. Close it after the relay has stopped. */
public final class JdbcRelayStore implements AutoCloseable {
    private static final int CONNECTIONS = 4;

    private final Connections connections;
    /** Heartbeats have their own connection, so that they wait for no other statement. */
    private final Connections heartbeats;
    /** Counting a million rows, deleting old ones or changing partitions must not delay the relay. */
    private final Connections statistics;

    private final RelayStore store;
    /** Null if a shard is the right to all of its lanes. */
    private final LaneRights rights;

    private final Sql sql;

    /**
     * @param source opens connections that take part in no JTA transaction; at most six at a time
     * @param dropped called when the database has rejected an optional part, which was left out: an error text, or a
     *     history row
     */
    public JdbcRelayStore(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped) {
        this(source, dialect, prefix, keepHistory, dropped, (connections, sql) -> null);
    }

    /**
     * For a node that claims lanes by locks.
     *
     * @param source opens one connection more
     * @param lease after which the server ends a lock session that was not used
     */
    public static JdbcRelayStore withLaneLocks(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped,
            Duration lease) {
        LockSession session = new LockSession(source, dialect, prefix, lease);
        return new JdbcRelayStore(source, dialect, prefix, keepHistory, dropped, (connections, sql) -> session);
    }

    /** For a node that claims lanes by rows. */
    public static JdbcRelayStore withClaimRows(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped) {
        return new JdbcRelayStore(source, dialect, prefix, keepHistory, dropped, ClaimRows::new);
    }

    private JdbcRelayStore(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped,
            BiFunction<Connections, Sql, LaneRights> claims) {
        this.sql = new Sql(dialect, prefix);
        this.connections = new Connections(source, dialect, CONNECTIONS);
        this.heartbeats = new Connections(source, dialect, 1);
        this.statistics = new Connections(source, dialect, 1, Duration.ZERO, System::nanoTime);
        JdbcShards shards = new JdbcShards(connections, sql);
        this.rights = claims.apply(connections, sql);
        this.store = new RelayStore(
                new JdbcNodes(heartbeats, sql),
                rights == null ? shards : new ReservedShards(shards, rights.kind(), rights::owner),
                new JdbcHandlers(connections, sql),
                new JdbcReading(connections, sql),
                new JdbcBatchedAcks(connections, sql, keepHistory, dropped),
                new JdbcFencedWrites(rights == null ? shards : rights, sql, keepHistory, dropped),
                new JdbcBacklog(statistics, sql),
                Optional.ofNullable(rights));
    }

    /** For work on whole tables, on the connection that also counts the backlog. */
    public Connections maintenance() {
        return statistics;
    }

    /** For short work that comes often: they are in use all the time, so none has to be opened for it. */
    public Connections connections() {
        return connections;
    }

    public RelayStore store() {
        return store;
    }

    /** With the shards as they are stored, whatever this node makes of them, and read by other connections. */
    public RelayStore readBy(Connections operators) {
        return new RelayStore(
                new JdbcNodes(operators, sql),
                new JdbcShards(operators, sql),
                new JdbcHandlers(operators, sql),
                new JdbcReading(operators, sql),
                store.acks(),
                store.writes(),
                new JdbcBacklog(operators, sql));
    }

    @Override
    public void close() {
        if (rights != null) {
            rights.close();
        }
        heartbeats.close();
        statistics.close();
        connections.close();
    }
}
