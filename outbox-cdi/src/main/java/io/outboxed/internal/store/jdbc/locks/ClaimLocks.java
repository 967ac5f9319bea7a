package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.sql.Sql;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A lock for each lane that a node has in memory. It ends with the session of the node. Thread-safe. */
public final class ClaimLocks implements LaneRights {
    private static final int IS_DEAD = 2;

    private final Sql sql;
    private final LockSession session;
    private final SessionDecisions decisions;

    /** @param idleLimit when the server ends a session that was not used */
    public ClaimLocks(ConnectionSource source, Dialect dialect, String prefix, Duration idleLimit) {
        this.sql = new Sql(dialect, prefix);
        this.session = new LockSession(source, sql, idleLimit);
        this.decisions = new SessionDecisions(session, sql);
    }

    @Override
    public ClaimStrategy kind() {
        return ClaimStrategy.ADVISORY_LOCK;
    }

    @Override
    public String owner() {
        return session.owner();
    }

    @Override
    public void open(String newOwner) {
        session.open(newOwner);
    }

    @Override
    public boolean isOpen(String ofOwner) {
        return session.isOpen(ofOwner);
    }

    @Override
    public void abandon() {
        session.abandon();
    }

    @Override
    public void close() {
        session.close();
    }

    /**
     * Whether a statement still runs in the session that was begun.
     *
     * @throws StoreException if the session is lost, and its locks with it
     */
    boolean reachesItself() {
        return session.run(OpenSession::reachesItself);
    }

    @Override
    public Set<Long> tryLock(Collection<Long> lanes) {
        return session.run(Set.of(), open -> open.locks().tryLockLanes(lanes));
    }

    @Override
    public void unlock(Collection<Long> lanes) {
        session.run(false, open -> {
            open.locks().unlockLanes(lanes);
            return true;
        });
    }

    @Override
    public List<Peer> peers() {
        return session.run(open -> open.jdbc()
                .list(
                        sql.laneLocks.peers,
                        row -> new Peer(row.getString("owner"), row.getInt("state") == IS_DEAD),
                        owner()));
    }

    @Override
    public Set<String> present(Collection<String> owners) {
        return session.run(open -> {
            Set<String> present = new HashSet<>(owners);
            present.removeAll(open.locks().freeNodes(owners));
            return present;
        });
    }

    @Override
    public boolean leads() {
        return session.run(false, OpenSession::leads);
    }

    @Override
    public <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work) {
        return decisions.decide(lanes, work);
    }
}
