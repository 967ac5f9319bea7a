package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.SqlSupplier;
import io.outboxed.internal.store.cluster.LockTableFullException;
import io.outboxed.internal.store.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Takes, asks for and gives back the locks of one session, some of them with each statement. */
record LockStatements(Jdbc jdbc, Sql sql, LockNames names) {
    private static final int LOCKS_IN_A_STATEMENT = 50;

    boolean tryLockNode(String owner) throws SQLException {
        return !tryLock(List.of(owner), names::ofNode).isEmpty();
    }

    boolean tryLockLeader() throws SQLException {
        return !withRoom(() -> tryLock(List.of(1), one -> names.ofLeader())).isEmpty();
    }

    /** @return those that the session has now; none of them after an exception */
    Set<Long> tryLockLanes(Collection<Long> lanes) throws SQLException {
        try {
            return withRoom(() -> tryLock(List.copyOf(lanes), names::ofLane));
        } catch (LockTableFullException e) {
            unlockLanes(lockedOf(lanes));
            throw e;
        }
    }

    void unlockLanes(Collection<Long> lanes) throws SQLException {
        trueOf(List.copyOf(lanes), sql.laneLocks::unlocks, lane -> List.of(names.ofLane(lane)));
    }

    /** @return those whose lock no session has */
    Set<String> freeNodes(Collection<String> owners) throws SQLException {
        boolean twice = sql.dialect() == Dialect.POSTGRESQL;
        return withRoom(() -> trueOf(List.copyOf(owners), sql.laneLocks::free, each -> {
            Object name = names.ofNode(each);
            return twice ? List.of(name, name) : List.of(name);
        }));
    }

    /** PostgreSQL keeps the session, and what it has locked before the error. */
    private static <T> T withRoom(SqlSupplier<T> locking) throws SQLException {
        try {
            return locking.get();
        } catch (SQLException e) {
            if (SqlFailure.isOutOfMemory(e)) {
                throw new LockTableFullException(e);
            }
            throw e;
        }
    }

    /** To unlock others writes a warning for each into the server's log. */
    private List<Long> lockedOf(Collection<Long> lanes) throws SQLException {
        Set<Object> locked = new HashSet<>(jdbc.list(sql.laneLocks.locksHere, row -> row.getLong("name")));
        return lanes.stream()
                .filter(lane -> locked.contains(names.ofLane(lane)))
                .toList();
    }

    private <T> Set<T> tryLock(List<T> things, Function<T, Object> name) throws SQLException {
        return trueOf(things, sql.laneLocks::tryLocks, thing -> List.of(name.apply(thing)));
    }

    /** Those of these things for which the statement says 1. */
    private <T> Set<T> trueOf(List<T> things, IntFunction<String> statement, Function<T, List<Object>> parameters)
            throws SQLException {
        Set<T> all = new HashSet<>();
        for (List<T> part : Chunks.of(things, LOCKS_IN_A_STATEMENT)) {
            List<Object> values = new ArrayList<>();
            part.forEach(thing -> values.addAll(parameters.apply(thing)));
            jdbc.list(statement.apply(part.size()), row -> trueOf(row, part), values.toArray())
                    .forEach(all::addAll);
        }
        return all;
    }

    private static <T> List<T> trueOf(ResultSet row, List<T> part) throws SQLException {
        List<T> some = new ArrayList<>();
        for (int i = 0; i < part.size(); i++) {
            if (row.getInt(i + 1) == 1) {
                some.add(part.get(i));
            }
        }
        return some;
    }
}
