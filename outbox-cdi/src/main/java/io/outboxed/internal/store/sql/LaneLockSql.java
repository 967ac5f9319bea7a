package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Locks of lanes that belong to a session. */
public final class LaneLockSql extends StoreSql {
    public LaneLockSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** Nodes with locks, and dead ones of either kind. */
    public final String peers = of("SELECT owner, state FROM outbox_node WHERE owner <> ? AND (state = 2 OR state = 0"
            + " AND owner LIKE '" + ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "%')");
    /** What is the same for all sessions that use these tables, and for no others in which locks have an effect. */
    public final String lockNamespace = switch (dialect()) {
        case POSTGRESQL -> of("SELECT CAST(CAST(CAST('outbox_message' AS regclass) AS oid) AS text) AS tables");
        case MYSQL, MARIADB, H2 ->
            "SELECT LOWER(" + (schema() == null ? "DATABASE()" : "'" + schema() + "'") + ") AS tables";
    };

    /** Writable is 1 unless the server is read-only. MariaDB may have a name instead of 0 and 1. */
    public final String lockSession = "SELECT " + sessionId() + " AS id, "
            + switch (dialect()) {
                case POSTGRESQL -> "CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END";
                case MYSQL, MARIADB -> "CASE WHEN CAST(@@global.read_only AS CHAR) IN ('0', 'OFF') THEN 1 ELSE 0 END";
                case H2 -> "1";
            }
            + " AS writable";

    /** PostgreSQL: what this session has locked. */
    public final String locksHere =
            "SELECT (CAST(classid AS bigint) << 32) | CAST(objid AS bigint) AS name FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = pg_backend_pid()";

    public final String galera = "SHOW VARIABLES LIKE 'wsrep_on'";

    /** One column for each lock, 1 if this session has it now. PostgreSQL counts keys, the others names. */
    public String tryLocks(int locks) {
        return locks(
                locks,
                dialect() == Dialect.POSTGRESQL
                        ? "CASE WHEN pg_try_advisory_lock(?) THEN 1 ELSE 0 END"
                        : "GET_LOCK(?, 0)");
    }

    public String unlocks(int locks) {
        return locks(
                locks,
                dialect() == Dialect.POSTGRESQL
                        ? "CASE WHEN pg_advisory_unlock(?) THEN 1 ELSE 0 END"
                        : "RELEASE_LOCK(?)");
    }

    /** 1 if no session has the lock. On PostgreSQL each takes two parameters, because only trying tells. */
    public String free(int locks) {
        return locks(
                locks,
                dialect() == Dialect.POSTGRESQL
                        ? "CASE WHEN pg_try_advisory_lock_shared(?) THEN CASE WHEN pg_advisory_unlock_shared(?) THEN 1 ELSE 1 END"
                                + " ELSE 0 END"
                        : "IS_FREE_LOCK(?)");
    }

    private static String locks(int locks, String function) {
        return IntStream.rangeClosed(1, locks)
                .mapToObj(i -> function + " AS l" + i)
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    /** The server ends a session that was not used for this long. */
    public String idleLimit(long seconds) {
        return dialect() == Dialect.POSTGRESQL
                ? "SET idle_session_timeout = '" + seconds + "s'"
                : "SET SESSION wait_timeout = " + seconds;
    }

    /** Gives a session back to its pool. */
    public final List<String> endLocks = dialect() == Dialect.POSTGRESQL
            ? List.of("SELECT pg_advisory_unlock_all()", "RESET idle_session_timeout")
            : List.of("DO RELEASE_ALL_LOCKS()", "SET SESSION wait_timeout = DEFAULT");
}
