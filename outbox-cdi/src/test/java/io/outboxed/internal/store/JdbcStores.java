package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The stores of several nodes on the same tables: each call opens another one. */
final class JdbcStores implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final ConnectionSource source;
    private final Dialect dialect;
    private final String prefix;
    private final Consumer<StoreException> dropped;
    private final List<JdbcRelayStore> all = new ArrayList<>();
    /** Of stores with locks. */
    private final Map<RelayStore, KillableSessions> sessions = new IdentityHashMap<>();

    /** @param dropped told of history that could not be stored */
    JdbcStores(ConnectionSource source, Dialect dialect, String prefix, Consumer<StoreException> dropped) {
        this.source = source;
        this.dialect = dialect;
        this.prefix = prefix;
        this.dropped = dropped;
    }

    RelayStore withHistory() {
        return opened(new JdbcRelayStore(source, dialect, prefix, true, dropped, LEASE));
    }

    RelayStore withoutHistory() {
        return opened(new JdbcRelayStore(source, dialect, prefix, false, dropped, LEASE));
    }

    /** Of a node that claims lanes by locks. */
    RelayStore withLocks(Duration lease) {
        return withLocks(lease, prefix);
    }

    RelayStore withLocks(Duration lease, String otherPrefix) {
        KillableSessions killable = new KillableSessions(source, dialect);
        RelayStore store = opened(JdbcRelayStore.withLaneLocks(killable, dialect, otherPrefix, false, dropped, lease));
        sessions.put(store, killable);
        return store;
    }

    /** Of a node that claims lanes by rows. */
    RelayStore withClaimRows() {
        return opened(JdbcRelayStore.withClaimRows(source, dialect, prefix, false, dropped, LEASE));
    }

    private RelayStore opened(JdbcRelayStore store) {
        all.add(store);
        return store.store();
    }

    /** Ends all sessions of this store. */
    void kill(RelayStore withLocks) throws SQLException {
        sessions.get(withLocks).kill();
    }

    @Override
    public void close() {
        all.forEach(JdbcRelayStore::close);
    }
}
