package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;

/**
 * What statements about several tables share. Names carry the default prefix; {@code :now} is the database's clock,
 * {@code :created} the column created_at of alias m, both in microseconds UTC.
 */
abstract class StoreSql extends SqlText {
    static final String CONTENT =
            "aggregate_type, aggregate_id, type, payload, payload_binary, payload_size, headers, registry_version, created_at";
    static final String CONTENT_OF_M = contentOfM("m.payload, m.payload_binary, m.payload_size");

    StoreSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** @param payload the text, the bytes and the size */
    static String contentOfM(String payload) {
        return "m.aggregate_type, m.aggregate_id, m.type, " + payload + ", m.headers, m.registry_version, m.created_at";
    }

    /** Used in joins: PostgreSQL is made to look up each row, because otherwise it might scan the table for each. */
    String messageOf(String seq, String andId) {
        return dialect() == Dialect.POSTGRESQL
                ? "LATERAL (SELECT m.* FROM outbox_message m WHERE m.seq = " + seq + andId + " LIMIT 1) m ON TRUE"
                : "outbox_message m ON m.seq = " + seq + andId;
    }

    String byShard() {
        return dialect().isMySqlFamily() ? " FORCE INDEX (outbox_message_ready)" : "";
    }

    String forShare() {
        return dialect() == Dialect.MARIADB ? "LOCK IN SHARE MODE" : "FOR SHARE";
    }

    String sessionId() {
        return dialect() == Dialect.POSTGRESQL ? "pg_backend_pid()" : "CONNECTION_ID()";
    }

    static String placeholders(int count) {
        return "(" + "?, ".repeat(count - 1) + "?)";
    }
}
