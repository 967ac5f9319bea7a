package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Many rows, inserted on the server. Ids rise with time, as those of version 7. */
record VolumeRows(Connection connection, Dialect dialect) {
    static final int DAYS = 10;
    static final int HANDLERS = 100;
    /** No multiple of the handlers' number: each type has letters of each handler. */
    static final int TYPES = 99;

    private static final int AGGREGATES = 1_000;
    static final int CHUNK = 10_000;

    static long micros() {
        return System.currentTimeMillis() * 1_000;
    }

    /** Ten days of processed messages, with payloads of 400 bytes, as many as are missing. */
    void history(int wanted) throws SQLException {
        fill(
                wanted - count("history"),
                "outbox_history (id, processed_at, seq, shard, lane, type, payload, payload_size, delay_micros,"
                        + " registry_version)",
                ", 7, 7, 'order.placed', '" + "x".repeat(400) + "', 400, 0, 0");
        analyze("history");
    }

    /** Ten days of dead letters of a hundred handlers, about as many types, and a thousand aggregates; none blocks. */
    void deadLetters(int rows) throws SQLException {
        fill(
                rows,
                "outbox_dead (message_id, died_at, seq, shard, lane, payload, payload_size, attempts,"
                        + " registry_version, blocking, error, handler_group, aggregate_type, handler, type, aggregate_id)",
                ", 7, n, '" + "x".repeat(400) + "', 400, 5, 0, 0, 'connection refused', 'Mailer', 'order', "
                        + String.join(
                                ", ", name("Mailer", HANDLERS), name("order.type", TYPES), name("o-", AGGREGATES)));
        analyze("dead");
    }

    /** Ten days of single discards, and of bulk operations that have ended. */
    void changes(int rows) throws SQLException {
        fill(
                rows,
                "outbox_audit (id, changed_at, changes, changed_by, changed_via, reason, action, target)",
                ", 'alice', 'rest', 'sent by hand', 'discard', 'handler Mailer7'");
        fill(
                rows / 100,
                "outbox_operation (id, started_at, matched, kind, state, handler, died_since, died_until, blocking,"
                        + " accept_order, per_second, started_by, started_via, reason, ended_at)",
                ", 0, 1, 'Mailer7', 0, 1, 0, 1, 100, 'alice', 'rest', 'mail server is back', " + micros());
        analyze("audit");
        analyze("operation");
    }

    int count(String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM outbox_" + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    static String name(String begin, int count) {
        return "CONCAT('" + begin + "', n % " + count + ")";
    }

    /** @param columns beginning with id, time and number */
    private void fill(int rows, String columns, String rest) throws SQLException {
        long span = Duration.ofDays(DAYS).toNanos() / 1_000;
        long first = micros() - span;
        String bigint = dialect.isMySqlFamily() ? "SIGNED" : "BIGINT";
        for (int done = 0; done < rows; done += CHUNK) {
            String at = "(" + first + " + (" + done + " + CAST(n AS " + bigint + ")) * " + (span / rows) + ")";
            execute("INSERT INTO " + columns + " SELECT " + id(at) + ", " + at + ", n" + rest + " FROM " + numbers());
        }
    }

    String id(String micros) {
        return dialect == Dialect.POSTGRESQL
                ? "CAST(LPAD(TO_HEX(" + micros + " / 1000), 12, '0') || SUBSTR(MD5(RANDOM()::text), 1, 20) AS UUID)"
                : "UNHEX(CONCAT(LPAD(HEX(" + micros + " DIV 1000), 12, '0'), SUBSTR(SHA2(RAND(), 256), 1, 20)))";
    }

    /** As many as a chunk has. */
    String numbers() {
        return dialect == Dialect.POSTGRESQL
                ? "generate_series(1, " + CHUNK + ") AS n"
                : "(SELECT a.slot * 10 + b.shard AS n FROM outbox_lock a"
                        + " JOIN outbox_shard b ON b.shard < 10 AND a.slot < 1000) t";
    }

    void analyze(String table) throws SQLException {
        execute((dialect.isMySqlFamily() ? "ANALYZE TABLE" : "ANALYZE") + " outbox_" + table);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
