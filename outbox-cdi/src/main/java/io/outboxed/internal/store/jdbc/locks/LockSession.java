package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.QualifiedName;
import io.outboxed.internal.database.RelayConnection;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.LaneClaim;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.NoRoomForLocksException;
import io.outboxed.internal.store.jdbc.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A connection that a node keeps for as long as it has its owner id: its locks, and the decisions that only their holder
 * can commit. After any doubt about what it holds, it is closed. The server ends it when it has not been used for a
 * lease, because its host has vanished or its process is frozen. Thread-safe.
 */
public final class LockSession implements LaneRights {
    private static final int MAX_ATTEMPTS = 3;
    private static final int LOCKS_IN_A_STATEMENT = 50;
    private static final int IS_DEAD = 2;

    private final ConnectionSource source;
    private final Sql sql;
    private final long idleSeconds;
    private final Duration answerLimit;
    private final ReentrantLock use = new ReentrantLock();
    /** Null without a session; guarded by {@code use}. */
    private Session session;

    /** Whether the session has the leader's lock; guarded by {@code use}. */
    private boolean leads;

    private volatile String owner;

    /** @param idleLimit when the server ends a session that was not used */
    public LockSession(ConnectionSource source, Dialect dialect, String prefix, Duration idleLimit) {
        this.source = source;
        this.sql = new Sql(dialect, prefix);
        this.idleSeconds = Math.max(1, idleLimit.toSeconds());
        this.answerLimit = RelayConnection.heartbeatLimit(idleLimit);
    }

    private record Session(RelayConnection connection, Jdbc jdbc, LockNames names, long id) {}

    private interface OneTry<T> {
        T run() throws SQLException;
    }

    private interface Statements<T> {
        T run(Session session) throws SQLException;
    }

    @Override
    public LaneClaim kind() {
        return LaneClaim.ADVISORY_LOCK;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public void open(String newOwner) {
        use.lock();
        try {
            end();
            session = begin();
            if (tryLocks(session, List.of(newOwner), session.names()::ofNode).isEmpty()) {
                throw new SQLException("the lock of node " + newOwner + " is taken");
            }
            owner = newOwner;
        } catch (SQLException e) {
            end();
            throw new StoreException("the lock session could not be opened: " + e.getMessage(), true, e);
        } finally {
            use.unlock();
        }
    }

    private Session begin() throws SQLException {
        RelayConnection connection = RelayConnection.open(source, sql.dialect());
        try {
            Jdbc jdbc = new Jdbc(connection.connection(), sql.dialect());
            String tables = jdbc.first(sql.lockNamespace, row -> row.getString("tables"))
                    .orElseThrow();
            LockNames names = new LockNames(
                    sql.dialect(), tables, QualifiedName.of(sql.prefix()).name());
            Session begun = new Session(connection, jdbc, names, id(jdbc));
            // the last step: a shared pool would lend the connection with this limit if another one failed
            execute(jdbc, List.of(sql.idleLimit(idleSeconds)));
            return begun;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private long id(Jdbc jdbc) throws SQLException {
        return jdbc.first(sql.lockSession, row -> row.getLong("id")).orElseThrow();
    }

    /** The heartbeat waits for it. */
    private boolean answers(Session open) throws SQLException {
        return open.connection().promptly(answerLimit, () -> id(open.jdbc())) == open.id();
    }

    @Override
    public boolean isOpen(String ofOwner) {
        if (!use.tryLock()) {
            // another thread is using it
            return ofOwner.equals(owner);
        }
        try {
            endIfElsewhere();
        } finally {
            use.unlock();
        }
        return ofOwner.equals(owner);
    }

    /** A proxy, or a driver that connects again by itself, passes statements on to another session. */
    private void endIfElsewhere() {
        try {
            if (session != null && !answers(session)) {
                end();
            }
        } catch (SQLException e) {
            end();
        }
    }

    @Override
    public void abandon() {
        use.lock();
        try {
            end();
        } finally {
            use.unlock();
        }
    }

    @Override
    public void close() {
        abandon();
    }

    private void end() {
        owner = null;
        leads = false;
        Session ended = session;
        session = null;
        if (ended != null) {
            try {
                if (source.isShared()) {
                    unlockAll(ended.jdbc());
                }
                ended.connection().close();
            } catch (SQLException e) {
                // its locks must not go back to the pool
                ended.connection().abort();
            }
        }
    }

    private void unlockAll(Jdbc jdbc) throws SQLException {
        if (!jdbc.connection().getAutoCommit()) {
            jdbc.connection().rollback();
            jdbc.connection().setAutoCommit(true);
        }
        execute(jdbc, sql.endLocks);
    }

    private static void execute(Jdbc jdbc, List<String> statements) throws SQLException {
        try (Statement statement = jdbc.connection().createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    @Override
    public Set<Long> tryLock(Collection<Long> lanes) {
        return inSession(Set.of(), open -> {
            try {
                return withRoom(() -> tryLocks(open, List.copyOf(lanes), open.names()::ofLane));
            } catch (NoRoomForLocksException e) {
                unlocks(open, lockedOf(open, lanes));
                throw e;
            }
        });
    }

    /** PostgreSQL keeps the session, and what it has locked before the error. */
    private static <T> T withRoom(OneTry<T> locking) throws SQLException {
        try {
            return locking.run();
        } catch (SQLException e) {
            if (SqlFailure.isOutOfMemory(e)) {
                throw new NoRoomForLocksException(e);
            }
            throw e;
        }
    }

    /** To unlock others writes a warning for each into the server's log. */
    private List<Long> lockedOf(Session open, Collection<Long> lanes) throws SQLException {
        Set<Object> locked = new HashSet<>(open.jdbc().list(sql.locksHere, row -> row.getLong("name")));
        return lanes.stream()
                .filter(lane -> locked.contains(open.names().ofLane(lane)))
                .toList();
    }

    @Override
    public void unlock(Collection<Long> lanes) {
        inSession(Set.of(), open -> unlocks(open, lanes));
    }

    private Set<Long> unlocks(Session open, Collection<Long> lanes) throws SQLException {
        return truths(
                open,
                List.copyOf(lanes),
                sql::unlocks,
                lane -> List.of(open.names().ofLane(lane)));
    }

    private <T> Set<T> tryLocks(Session open, List<T> things, Function<T, Object> name) throws SQLException {
        return truths(open, things, sql::tryLocks, thing -> List.of(name.apply(thing)));
    }

    @Override
    public List<Peer> peers() {
        return inSession(open -> open.jdbc()
                .list(sql.peers, row -> new Peer(row.getString("owner"), row.getInt("state") == IS_DEAD), owner));
    }

    @Override
    public Set<String> present(Collection<String> owners) {
        boolean twice = sql.dialect() == Dialect.POSTGRESQL;
        return inSession(open -> {
            Set<String> free = withRoom(() -> truths(open, List.copyOf(owners), sql::free, each -> {
                Object name = open.names().ofNode(each);
                return twice ? List.of(name, name) : List.of(name);
            }));
            Set<String> present = new HashSet<>(owners);
            present.removeAll(free);
            return present;
        });
    }

    @Override
    public boolean leads() {
        return inSession(false, open -> {
            // a session has a lock as often as it takes it
            leads = leads
                    || !withRoom(() -> tryLocks(
                                    open, List.of(1), one -> open.names().ofLeader()))
                            .isEmpty();
            return leads;
        });
    }

    /** Those of these things for which the statement says 1. */
    private static <T> Set<T> truths(
            Session open, List<T> things, IntFunction<String> statement, Function<T, List<Object>> parameters)
            throws SQLException {
        Set<T> truths = new HashSet<>();
        for (int from = 0; from < things.size(); from += LOCKS_IN_A_STATEMENT) {
            List<T> part = things.subList(from, Math.min(things.size(), from + LOCKS_IN_A_STATEMENT));
            List<Object> all = new ArrayList<>();
            part.forEach(thing -> all.addAll(parameters.apply(thing)));
            open.jdbc()
                    .list(statement.apply(part.size()), row -> truths(row, part), all.toArray())
                    .forEach(truths::addAll);
        }
        return truths;
    }

    private static <T> List<T> truths(ResultSet row, List<T> part) throws SQLException {
        List<T> truths = new ArrayList<>();
        for (int i = 0; i < part.size(); i++) {
            if (row.getInt(i + 1) == 1) {
                truths.add(part.get(i));
            }
        }
        return truths;
    }

    /** @param without the answer without a session */
    private <T> T inSession(T without, Statements<T> statements) {
        return owner == null ? without : inSession(statements);
    }

    private <T> T inSession(Statements<T> statements) {
        use.lock();
        try {
            if (session == null) {
                throw new SQLNonTransientConnectionException("there is none", "08003");
            }
            return statements.run(session);
        } catch (SQLException e) {
            // which locks it holds is not known
            end();
            throw new StoreException("the lock session is lost: " + e.getMessage(), true, e);
        } finally {
            use.unlock();
        }
    }

    /**
     * A session that is gone can't commit, and in another one the shard has no row, so no other node has the lanes of
     * what is decided here.
     */
    @Override
    public <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work) {
        use.lock();
        try {
            for (int attempt = 1; ; attempt++) {
                for (Lease lease : lanes.keySet()) {
                    if (!lease.owner().equals(owner)) {
                        throw new LeaseLostException(lease);
                    }
                }
                try {
                    long id = session.id();
                    return OneTransaction.run(session.jdbc(), jdbc -> {
                        // MariaDB's driver for several hosts connects again in setAutoCommit, and says nothing
                        Fence.lock(
                                jdbc,
                                lanes.keySet(),
                                kind()::stored,
                                shards -> sql.shareFreeShards(shards, id),
                                shards -> sql.someShards(shards, id));
                        return work.run(jdbc);
                    });
                } catch (LeaseLostException e) {
                    endIfElsewhere();
                    throw e;
                } catch (SQLException e) {
                    if (SqlFailure.isConnectionLost(e) || !isUsable()) {
                        end();
                    }
                    if (attempt == MAX_ATTEMPTS || !SqlFailure.isRolledBack(e)) {
                        throw SqlFailure.toStoreException(
                                e instanceof Jdbc.LocatedSqlException located ? located.what() : "the lock session", e);
                    }
                }
            }
        } finally {
            use.unlock();
        }
    }

    private boolean isUsable() {
        try {
            return session.jdbc().connection().getAutoCommit();
        } catch (SQLException e) {
            return false;
        }
    }
}
