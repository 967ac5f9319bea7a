package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.LockTableFullException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** Locks of a session on {@link MemoryStore}. The server ends a session that was not used for a while. */
public final class MemoryLockSession implements LaneLocks {
    private static final String LEADER = "leader";

    private final MemoryTables tables;
    private final LongSupplier micros;
    private final long idleMicros;
    private Session session;
    /** How many further locks of lanes the server has room for. */
    public int room = Integer.MAX_VALUE;
    /** Whether it has room for locks that are only tested, or taken once for all nodes. */
    public boolean roomToAsk = true;

    MemoryLockSession(MemoryTables tables, LongSupplier micros, long idleMicros) {
        this.tables = tables;
        this.micros = micros;
        this.idleMicros = idleMicros;
    }

    @Override
    public ClaimStrategy kind() {
        return ClaimStrategy.ADVISORY_LOCK;
    }

    /** What the server knows of it. */
    final class Session {
        private final String owner;
        private long usedAt = micros.getAsLong();
        private boolean ended;

        private Session(String owner) {
            this.owner = owner;
        }

        private boolean isAlive() {
            return !ended && micros.getAsLong() - usedAt <= idleMicros;
        }
    }

    /** As a database does whose administrator ends it, or whose network to the node is cut. */
    public void end() {
        if (session != null) {
            session.ended = true;
        }
    }

    /** Null without a session. */
    public String owner() {
        return session == null ? null : session.owner;
    }

    private boolean use() {
        if (session == null || !session.isAlive()) {
            session = null;
            return false;
        }
        session.usedAt = micros.getAsLong();
        return true;
    }

    @Override
    public void open(String owner) {
        end();
        session = new Session(owner);
        tables.locks.put(owner, session);
    }

    @Override
    public boolean isOpen(String owner) {
        return use() && session.owner.equals(owner);
    }

    @Override
    public void abandon() {
        end();
        session = null;
    }

    @Override
    public Set<Long> tryLock(Collection<Long> lanes) {
        Set<Long> locked = new LinkedHashSet<>();
        if (use()) {
            lanes.stream().limit(room).filter(this::lock).forEach(locked::add);
            if (room < lanes.size()) {
                unlock(locked);
                throw new LockTableFullException(new SQLException("out of shared memory", "53200"));
            }
        }
        return locked;
    }

    private boolean lock(Object name) {
        if (isFree(name)) {
            tables.locks.put(name, session);
        }
        return tables.locks.get(name) == session;
    }

    private boolean isFree(Object name) {
        Session holder = tables.locks.get(name);
        return holder == null || !holder.isAlive();
    }

    @Override
    public void unlock(Collection<Long> lanes) {
        if (use()) {
            lanes.forEach(lane -> tables.locks.remove(lane, session));
        }
    }

    @Override
    public List<Peer> peers() {
        requireSession();
        List<Peer> peers = new ArrayList<>();
        tables.nodes.forEach((owner, node) -> {
            if (!owner.equals(session.owner) && (node.dead || node.live && owner.startsWith(kind().nodePrefix()))) {
                peers.add(new Peer(owner, node.dead));
            }
        });
        return peers;
    }

    @Override
    public Set<String> present(Collection<String> owners) {
        requireSession();
        requireRoom();
        Set<String> present = new LinkedHashSet<>();
        owners.stream().filter(owner -> !isFree(owner)).forEach(present::add);
        return present;
    }

    private void requireRoom() {
        if (!roomToAsk) {
            throw new LockTableFullException(new SQLException("out of shared memory", "53200"));
        }
    }

    private void requireSession() {
        if (!use()) {
            throw new StoreException("there is no session", true, null);
        }
    }

    @Override
    public boolean leads() {
        if (use() && tables.locks.get(LEADER) == session) {
            return true;
        }
        requireRoom();
        return use() && lock(LEADER);
    }

    /** What a database does by committing in the session. */
    void fence(Lease lease) {
        if (!use() || !session.owner.equals(lease.owner()) || !tables.isShared(lease, kind())) {
            throw new LeaseLostException(lease);
        }
    }
}
