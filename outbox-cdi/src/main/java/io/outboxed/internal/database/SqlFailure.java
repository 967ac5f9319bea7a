package io.outboxed.internal.database;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Predicate;

/** Classifies SQLExceptions. Vendor codes come first: MariaDB reports 1205 and 1020 with SQLState HY000. */
public final class SqlFailure {
    /** PostgreSQL: another transaction has locked a row. */
    public static final String LOCK_NOT_AVAILABLE = "55P03";

    /** MySQL, MariaDB: deadlock, snapshot changed. H2: deadlock, concurrent update. */
    private static final Set<Integer> ROLLED_BACK = Set.of(1213, 1020, 40001, 90131);

    private static final Set<String> ROLLED_BACK_STATES = Set.of("40001", "40P01");

    /** MySQL: a table has another definition than the snapshot; a member of a group is leaving it, as a commit failed. */
    private static final Set<Integer> PASSING = Set.of(1412, 3100);

    /** MySQL, MariaDB: lock wait timeout, no wait. H2: lock timeout. */
    private static final Set<Integer> LOCKED = Set.of(1205, 3572, 50200);

    private static final Set<String> LOCKED_STATES = Set.of(LOCK_NOT_AVAILABLE);

    /** MySQL, MariaDB: too many connections, shutdown, killed, gone, idle. H2: closed, broken. */
    private static final Set<Integer> LOST =
            Set.of(1040, 1053, 1927, 2006, 2013, 4031, 90007, 90067, 90098, 90108, 90121);

    /** PostgreSQL: idle in transaction, transaction too long, too many connections, shutdown. */
    private static final Set<String> LOST_STATES =
            Set.of("25P03", "25P04", "53300", "57P01", "57P02", "57P03", "57P05");

    /**
     * MySQL, MariaDB: a read-only server. After a failover it still answers, and a new connection finds its successor.
     */
    private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

    /** MySQL: max_execution_time, KILL QUERY. MariaDB: max_statement_time. */
    private static final Set<Integer> CANCELLED = Set.of(3024, 1317, 1969);

    /** PostgreSQL: a read-only server. */
    public static final String READ_ONLY_SERVER = "25006";

    private static final Set<String> READ_ONLY_STATES = Set.of(READ_ONLY_SERVER);

    /** MySQL, MariaDB: disk, table or lock table full, out of memory, access denied. H2: not enough rights. */
    private static final Set<Integer> FOR_ALL_ROWS = Set.of(1021, 1114, 1206, 1037, 1041, 1044, 1142, 1143, 90096);

    /** PostgreSQL: disk full, insufficient privilege. */
    private static final Set<String> FOR_ALL_ROWS_STATES = Set.of("53100", "42501");

    /** MySQL, MariaDB: no right to this database, no such database. Their SQLState is that of a syntax error. */
    private static final Set<Integer> LOGIN_REFUSED = Set.of(1044, 1049);

    /** Causes may form a circle. */
    private static final int DEEPEST = 64;

    private SqlFailure() {}

    /** Whether the operation is worth repeating. */
    public static boolean isTransient(Throwable failure) {
        return isRolledBack(failure)
                || isLocked(failure)
                || isCancelled(failure)
                || isConnectionLost(failure)
                || any(failure, e -> e instanceof SQLTransientException || PASSING.contains(e.getErrorCode()));
    }

    /** Whether the database itself has ended the transaction and rolled back all of it. */
    public static boolean isRolledBack(Throwable failure) {
        return any(
                failure,
                e -> ROLLED_BACK.contains(e.getErrorCode())
                        // MySQL's driver reports a lock wait timeout as 40001 too
                        || (hasState(e, ROLLED_BACK_STATES) && !LOCKED.contains(e.getErrorCode())));
    }

    /** Whether PostgreSQL has no memory left, for example for locks. */
    public static boolean isOutOfMemory(Throwable failure) {
        return any(failure, e -> hasState(e, Set.of("53200")));
    }

    /** Whether another transaction has held a row for longer than the lock wait. */
    public static boolean isLocked(Throwable failure) {
        return any(failure, e -> LOCKED.contains(e.getErrorCode()) || hasState(e, LOCKED_STATES));
    }

    /** Whether the database has ended a statement at its limit of time, or because an administrator wanted that. */
    public static boolean isCancelled(Throwable failure) {
        return any(failure, e -> CANCELLED.contains(e.getErrorCode()) || hasState(e, Set.of("57014")));
    }

    /** Whether the database refuses such a statement for any row, until an administrator has fixed the cause. */
    public static boolean isForAllRows(Throwable failure) {
        return isOutOfMemory(failure)
                || any(failure, e -> FOR_ALL_ROWS.contains(e.getErrorCode()) || hasState(e, FOR_ALL_ROWS_STATES));
    }

    /** Whether the database does not know the user, the password or itself by this name. */
    public static boolean isLoginRefused(Throwable failure) {
        return isAccountRefused(failure)
                || any(
                        failure,
                        e -> LOGIN_REFUSED.contains(e.getErrorCode())
                                || (e.getSQLState() != null && e.getSQLState().startsWith("3D")));
    }

    /** Whether the database does not know the user or the password, or not from this host. */
    public static boolean isAccountRefused(Throwable failure) {
        return any(failure, e -> e.getSQLState() != null && e.getSQLState().startsWith("28"));
    }

    /** Whether the server or the session accepts no writes; it may say so before it checks privileges. */
    public static boolean isReadOnly(Throwable failure) {
        return any(failure, e -> READ_ONLY.contains(e.getErrorCode()) || hasState(e, READ_ONLY_STATES));
    }

    public static boolean isConnectionLost(Throwable failure) {
        return isReadOnly(failure)
                || any(
                        failure,
                        e -> LOST.contains(e.getErrorCode())
                                || hasState(e, LOST_STATES)
                                || (e.getSQLState() != null && e.getSQLState().startsWith("08"))
                                || e instanceof SQLRecoverableException);
    }

    /** A pool's own exceptions may have none. */
    private static boolean hasState(SQLException e, Set<String> states) {
        return e.getSQLState() != null && states.contains(e.getSQLState());
    }

    /** Keeps only vendor code and SQLState: the database's own message may quote a value. */
    public static StoreException toStoreException(String what, SQLException failure) {
        return new StoreException(
                what + " failed with vendor code " + failure.getErrorCode() + ", SQLState " + failure.getSQLState(),
                isTransient(failure),
                failure);
    }

    /** The same, with the failed statement in place of what it was for, if that is known. */
    public static StoreException ofStatement(String what, SQLException failure) {
        return toStoreException(failure instanceof Jdbc.LocatedSqlException located ? located.what() : what, failure);
    }

    private static boolean any(Throwable failure, Predicate<SQLException> matches) {
        Throwable cause = failure;
        for (int depth = 0; depth < DEEPEST && cause != null; depth++, cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                for (SQLException next = sql; next != null; next = next.getNextException()) {
                    if (matches.test(next)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
