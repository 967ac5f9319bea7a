package io.outboxed.internal.database;

import io.outboxed.OutboxException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** The differences between the databases, apart from their schema files. */
public enum Dialect {
    H2(
            2,
            2,
            "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)",
            "CAST(EXTRACT(EPOCH FROM m.created_at) * 1000000 AS BIGINT)",
            List.of("SET LOCK_TIMEOUT 5000"),
            "SELECT 'SET LOCK_TIMEOUT ' || LOCK_TIMEOUT()"),
    MYSQL(
            8,
            0,
            "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))",
            // UNIX_TIMESTAMP of a TIMESTAMP column reads the stored UTC value, whatever the session's zone
            "CAST(UNIX_TIMESTAMP(m.created_at) * 1000000 AS SIGNED)",
            // MySQL has no limit for idle transactions, only one for idle connections
            List.of("SET SESSION innodb_lock_wait_timeout = 5, wait_timeout = 10, time_zone = '+00:00'"),
            "SELECT CONCAT('SET SESSION innodb_lock_wait_timeout = ', @@SESSION.innodb_lock_wait_timeout,"
                    + " ', wait_timeout = ', @@SESSION.wait_timeout,"
                    + " ', max_execution_time = ', @@SESSION.max_execution_time,"
                    + " ', time_zone = ''', @@SESSION.time_zone, '''')"),
    MARIADB(
            10,
            6,
            MYSQL.now,
            MYSQL.created,
            // a named lock of a client that is gone lasts as long as its session, also between transactions
            List.of("SET SESSION innodb_lock_wait_timeout = 5, idle_transaction_timeout = 10, wait_timeout = 10,"
                    + " time_zone = '+00:00'"),
            "SELECT CONCAT('SET SESSION innodb_lock_wait_timeout = ', @@SESSION.innodb_lock_wait_timeout,"
                    + " ', idle_transaction_timeout = ', @@SESSION.idle_transaction_timeout,"
                    + " ', wait_timeout = ', @@SESSION.wait_timeout,"
                    + " ', max_statement_time = ', @@SESSION.max_statement_time,"
                    + " ', time_zone = ''', @@SESSION.time_zone, '''')"),
    POSTGRESQL(
            12,
            0,
            // clock_timestamp() is volatile, so no index would serve a comparison with it
            "CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000000 AS BIGINT)",
            "CAST(EXTRACT(EPOCH FROM m.created_at) * 1000000 AS BIGINT)",
            // an outbox is empty at one moment and long at the next: a cached plan would read all of it, and so would a
            // plan based on statistics. https://www.postgresql.org/docs/current/runtime-config-query.html
            List.of(
                    "SET lock_timeout = '5s'",
                    "SET idle_in_transaction_session_timeout = '10s'",
                    "SET plan_cache_mode = force_custom_plan",
                    "SET enable_seqscan = off",
                    "SET enable_bitmapscan = off",
                    "SET enable_hashjoin = off",
                    "SET enable_mergejoin = off",
                    "SET enable_sort = off",
                    // compiling takes longer than any of these statements
                    "SET jit = off"),
            "SELECT string_agg('SET ' || name || ' = ''' || current_setting(name) || '''', chr(10)) FROM (VALUES"
                    + " ('lock_timeout'), ('idle_in_transaction_session_timeout'), ('statement_timeout'), ('plan_cache_mode'),"
                    + " ('enable_seqscan'), ('enable_bitmapscan'), ('enable_hashjoin'), ('enable_mergejoin'), ('enable_sort'),"
                    + " ('jit'))"
                    + " AS settings (name)");

    private final ServerVersion oldest;
    private final String now;
    private final String created;
    private final List<String> sessionSettings;
    private final String currentSettings;

    Dialect(int major, int minor, String now, String created, List<String> sessionSettings, String currentSettings) {
        this.oldest = new ServerVersion(major, minor);
        this.now = now;
        this.created = created;
        this.sessionSettings = sessionSettings;
        this.currentSettings = currentSettings;
    }

    /** Rejects databases that are unknown or too old. */
    public static Dialect from(DatabaseMetaData database) throws SQLException {
        String product = database.getDatabaseProductName();
        String version = database.getDatabaseProductVersion();
        Dialect dialect = named(product, version);
        if (ServerVersion.of(database).compareTo(dialect.oldest) < 0) {
            throw new OutboxException(
                    "OUTBOX-0301",
                    "The database is " + product + " " + version + ", but Outboxed needs " + dialect.oldest
                            + " or newer. Nothing was read or written. Upgrade the database or point"
                            + " outbox.datasource.url to another one.");
        }
        return dialect;
    }

    private static Dialect named(String product, String version) {
        String text = (product + " " + version).toLowerCase(Locale.ROOT);
        // MySQL's driver reports a MariaDB server as "MySQL"; only the version shows the difference
        if (text.contains("mariadb")) {
            return MARIADB;
        }
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> H2;
            case "mysql" -> MYSQL;
            case "postgresql" -> POSTGRESQL;
            default ->
                throw new OutboxException(
                        "OUTBOX-0302",
                        "The database is " + product + " " + version
                                + ", which Outboxed does not support. Nothing was read"
                                + " or written. Supported are H2, MySQL, MariaDB and PostgreSQL; see"
                                + " outbox.datasource.url.");
        };
    }

    /** The name of the schema resource. */
    public String schemaFile() {
        return "/io/outboxed/schema/" + name().toLowerCase(Locale.ROOT) + ".sql";
    }

    /** The database's clock, in microseconds since 1970 UTC. */
    String now() {
        return now;
    }

    /** Column created_at of alias m as microseconds since 1970 UTC. */
    String created() {
        return created;
    }

    /** Limit how long the relay's own connections wait and hold locks. */
    List<String> sessionSettings() {
        return sessionSettings;
    }

    /**
     * Limits how long a statement may take. The server does not notice that a client is gone, so each repetition would be
     * one more that runs. MySQL can limit only queries.
     */
    List<String> statementLimit(Duration limit) {
        return switch (this) {
            case MYSQL -> List.of("SET SESSION max_execution_time = " + limit.toMillis());
            case MARIADB -> List.of("SET SESSION max_statement_time = " + BigDecimal.valueOf(limit.toMillis(), 3));
            case POSTGRESQL -> List.of("SET statement_timeout = " + limit.toMillis());
            case H2 -> List.of();
        };
    }

    /** A query for one text: the statements that restore the current settings, one per line. */
    public String currentSettings() {
        return currentSettings;
    }

    public boolean isMySqlFamily() {
        return this == MYSQL || this == MARIADB;
    }

    /** Makes a duplicate key harmless without hiding any other error. */
    public String ignoreDuplicate(String keyColumn) {
        return switch (this) {
            case MYSQL, MARIADB -> " ON DUPLICATE KEY UPDATE " + keyColumn + " = VALUES(" + keyColumn + ")";
            case POSTGRESQL -> " ON CONFLICT DO NOTHING";
            case H2 -> "";
        };
    }

    /**
     * Before a statement that locks or deletes a row as it is now, although the transaction's snapshot is older. In such
     * a transaction MariaDB with innodb_snapshot_isolation refuses a row that
     * was changed in the meantime (1020). Before 11.4.2 this is a comment, because some versions lack the variable.
     */
    public String asOfNow() {
        return this == MARIADB ? "/*M!110402 SET STATEMENT innodb_snapshot_isolation = OFF FOR */ " : "";
    }

    public Object uuidParameter(UUID id) {
        if (!isMySqlFamily()) {
            return id;
        }
        return ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    UUID uuid(ResultSet row, String column) throws SQLException {
        if (!isMySqlFamily()) {
            return row.getObject(column, UUID.class);
        }
        ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
        return new UUID(bytes.getLong(), bytes.getLong());
    }
}
