package io.outboxed.internal.database;

/**
 * Statements for a lock that one session can have at a time. It needs neither a table nor a privilege, and the database
 * takes it from a session that ends. A lock of MySQL is the server's, one of PostgreSQL the database's, so both contain
 * the schema. H2 has none.
 */
public final class NamedLock {
    private final boolean postgres;
    private final String key;

    /** @param lock as the statements name a table; there need not be one */
    public NamedLock(SqlText sql, String lock) {
        this.postgres = sql.dialect() == Dialect.POSTGRESQL;
        QualifiedName name = QualifiedName.of(sql.of(lock));
        String schema = schema(sql);
        // a name of MySQL may have 64 characters. From 9.6 on, MySQL has MD5 and SHA1 only as a component:
        // https://dev.mysql.com/doc/refman/9.6/en/encryption-functions.html
        this.key = postgres
                ? "hashtextextended('outboxed.' || " + schema + " || '." + name.name() + "', 0)"
                : "CONCAT('outboxed.', SUBSTR(SHA2(CONCAT(" + schema + ", '." + name.name() + "'), 256), 1, 32))";
    }

    /** PostgreSQL: sessions may find the same tables along different search paths. */
    private String schema(SqlText sql) {
        if (sql.schema() != null) {
            return "'" + sql.schema() + "'";
        }
        return postgres
                ? "COALESCE((SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE c.oid = to_regclass('" + sql.of("outbox_history") + "')), current_schema())"
                : "DATABASE()";
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
