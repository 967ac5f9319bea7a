package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Many rows, inserted on the server. Ids rise with time, as those of version 7. */
record VolumeRows(Connection connection, Dialect dialect) {
    static final int DAYS = 10;
    static final int HANDLERS = 100;
    /** No multiple of the handlers' number: each type has letters of each handler. */
    private static final int TYPES = 99;

    private static final int AGGREGATES = 1_000;
    private static final int CHUNK = 10_000;

    static long micros() {
        return System.currentTimeMillis() * 1_000;
    }

    /** Ten days of processed messages, with payloads of 400 bytes. */
    void history(int rows) throws SQLException {
        fill(
                rows,
                "outbox_history (id, processed_at, seq, shard, lane, type, payload, payload_size, delay_micros,"
                        + " registry_version)",
                ", 7, 7, 'order.placed', '" + "x".repeat(400) + "', 400, 0, 0");
        execute((dialect.isMySqlFamily() ? "ANALYZE TABLE" : "ANALYZE") + " outbox_history");
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
        execute((dialect.isMySqlFamily() ? "ANALYZE TABLE" : "ANALYZE") + " outbox_dead");
    }

    private static String name(String begin, int count) {
        return "CONCAT('" + begin + "', n % " + count + ")";
    }

    /** @param columns beginning with id, time and number */
    private void fill(int rows, String columns, String rest) throws SQLException {
        long span = Duration.ofDays(DAYS).toNanos() / 1_000;
        long first = micros() - span;
        String bigint = dialect.isMySqlFamily() ? "SIGNED" : "BIGINT";
        for (int done = 0; done < rows; done += CHUNK) {
            String at = "(" + first + " + (" + done + " + CAST(n AS " + bigint + ")) * " + (span / rows) + ")";
            String id = dialect == Dialect.POSTGRESQL
                    ? "CAST(LPAD(TO_HEX(" + at + " / 1000), 12, '0') || SUBSTR(MD5(RANDOM()::text), 1, 20) AS UUID)"
                    : "UNHEX(CONCAT(LPAD(HEX(" + at + " DIV 1000), 12, '0'), SUBSTR(MD5(RAND()), 1, 20)))";
            execute("INSERT INTO " + columns + " SELECT " + id + ", " + at + ", n" + rest + " FROM " + numbers());
        }
    }

    private String numbers() {
        return dialect == Dialect.POSTGRESQL
                ? "generate_series(1, " + CHUNK + ") AS n"
                : "(SELECT a.slot * 10 + b.shard AS n FROM outbox_lock a"
                        + " JOIN outbox_shard b ON b.shard < 10 AND a.slot < 1000) t";
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
