package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.SharedShardLeases;
import io.outboxed.internal.store.jdbc.locks.ClaimLocks;
import io.outboxed.internal.store.jdbc.locks.ClaimRows;
import io.outboxed.internal.store.jdbc.locks.LaneRights;
import io.outboxed.internal.store.sql.Sql;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** A relay's store with its own small pool of connections. Close it after the relay has stopped. */
public final class JdbcRelayStore implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    /** Of the membership's thread and of the loop, which gives shards back. */
    private static final int MEMBERSHIP = 2;

    private final Connections connections;
    /**
     * Heartbeats wait for no other statement. One that a lost network path keeps from its answer is given up in time for
     * the next one, with the hand-overs of shards, which the same thread does.
     */
    private final Connections membership;
    /** Counting a million rows, deleting old ones or changing partitions must not delay the relay. */
    private final Connections maintenance;

    private final RelayStore store;
    /** Null if a shard is the right to all of its lanes. */
    private final LaneRights rights;

    /**
     * For a node that claims shards.
     *
     * @param source opens connections that take part in no JTA transaction; at most seven at a time
     * @param dropped called when the database has rejected an optional part, which was left out: an error text, or a
     *     history row
     */
    public JdbcRelayStore(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped,
            Duration lease) {
        this(source, dialect, prefix, keepHistory, dropped, lease, (connections, sql) -> null);
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
        ClaimLocks locks = new ClaimLocks(source, dialect, prefix, lease);
        return new JdbcRelayStore(source, dialect, prefix, keepHistory, dropped, lease, (connections, sql) -> locks);
    }

    /** For a node that claims lanes by rows. */
    public static JdbcRelayStore withClaimRows(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped,
            Duration lease) {
        return new JdbcRelayStore(source, dialect, prefix, keepHistory, dropped, lease, ClaimRows::new);
    }

    private JdbcRelayStore(
            ConnectionSource source,
            Dialect dialect,
            String prefix,
            boolean keepHistory,
            Consumer<StoreException> dropped,
            Duration lease,
            BiFunction<Connections, Sql, LaneRights> claims) {
        Sql sql = new Sql(dialect, prefix);
        this.connections = new Connections(source, dialect, CONNECTIONS);
        this.membership = Connections.forHeartbeats(source, dialect, MEMBERSHIP, lease);
        this.maintenance = new Connections(source, dialect, 1, Duration.ZERO, System::nanoTime);
        JdbcShardLeases fence = new JdbcShardLeases(connections, sql);
        JdbcShardLeases shards = new JdbcShardLeases(membership, sql);
        this.rights = claims.apply(connections, sql);
        this.store = new RelayStore(
                new JdbcNodes(membership, sql),
                rights == null ? shards : new SharedShardLeases(shards, rights.kind(), rights::owner),
                new JdbcHandlerRegistrations(connections, sql),
                new JdbcMessageReads(connections, sql),
                new JdbcAcks(connections, sql, keepHistory, dropped),
                new JdbcFencedWriter(rights == null ? fence : rights, sql, keepHistory, dropped),
                new JdbcStatistics(maintenance, sql),
                Optional.ofNullable(rights),
                connections::losses);
    }

    /** For work on whole tables, on the connection that also counts the backlog. */
    public Connections maintenance() {
        return maintenance;
    }

    /** For short work that comes often: they are in use all the time, so none has to be opened for it. */
    public Connections connections() {
        return connections;
    }

    public RelayStore store() {
        return store;
    }

    @Override
    public void close() {
        if (rights != null) {
            rights.close();
        }
        membership.close();
        maintenance.close();
        connections.close();
    }
}
