package io.outboxed.internal.database;

/**
 * Statements for a lock that one session can have at a time. It needs neither a table nor a privilege, and the database
 * takes it from a session that ends. A lock of MySQL is the server's, one of PostgreSQL the database's, so both contain
 * the schema. H2 has none.
 */
public final class NamedLock {
    private final boolean postgres;
    private final String key;

    /** @param name as of a table: in a schema, or in the connection's own */
    public NamedLock(Dialect dialect, QualifiedName name) {
        this.postgres = dialect == Dialect.POSTGRESQL;
        String schema = schema(name);
        // a name of MySQL may have 64 characters
        this.key = postgres
                ? "hashtextextended('outboxed.' || " + schema + " || '." + name.name() + "', 0)"
                : "CONCAT('outboxed.', MD5(CONCAT(" + schema + ", '." + name.name() + "')))";
    }

    private String schema(QualifiedName name) {
        if (name.schema() != null) {
            return "'" + name.schema() + "'";
        }
        return postgres ? "current_schema()" : "DATABASE()";
    }

    /** found is 1 if the session has the lock now. */
    public String tryLock() {
        return postgres
                ? "SELECT CASE WHEN pg_try_advisory_lock(" + key + ") THEN 1 ELSE 0 END AS found"
                : waitingAtMost(0);
    }

    /** MySQL, MariaDB: found is 1 as soon as the session has the lock, 0 if it does not get it in time. */
    public String waitingAtMost(int seconds) {
        return "SELECT GET_LOCK(" + key + ", " + seconds + ") AS found";
    }

    /** PostgreSQL: returns as soon as the transaction has the lock, and fails after lock_timeout. */
    public String untilCommit() {
        return "SELECT pg_advisory_xact_lock(" + key + ")";
    }

    public String unlock() {
        return postgres
                ? "SELECT CASE WHEN pg_advisory_unlock(" + key + ") THEN 1 ELSE 0 END AS found"
                : "SELECT RELEASE_LOCK(" + key + ") AS found";
    }
}
