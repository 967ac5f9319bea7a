package io.outboxed.faults.wire;

import java.util.regex.Pattern;

/** What a statement means for the delivery of an event. */
enum StatementKind {
    BEGIN,
    CLAIM,
    TAKEOVER,
    ACK,
    COMMIT,
    ROLLBACK,
    OTHER;

    private static final Pattern CLAIMS =
            Pattern.compile("UPDATE outbox_message SET version = version \\+ 1 WHERE seq.*");
    private static final Pattern TAKEOVERS =
            Pattern.compile("UPDATE outbox_shard SET owner = \\S+ epoch = epoch \\+ 1 WHERE shard = \\S+");
    private static final Pattern ACKS = Pattern.compile(
            "(DELETE (m )?FROM .*outbox_message .*|INSERT INTO outbox_delivery \\(message_id, handler, seq.*)");

    private static final Pattern BEGINS =
            Pattern.compile("BEGIN.*|START TRANSACTION.*|SET autocommit ?= ?[01]", Pattern.CASE_INSENSITIVE);

    static StatementKind of(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        if (CLAIMS.matcher(line).matches()) {
            return CLAIM;
        }
        if (ACKS.matcher(line).matches()) {
            return ACK;
        }
        if (TAKEOVERS.matcher(line).matches()) {
            return TAKEOVER;
        }
        if (BEGINS.matcher(line).matches()) {
            return BEGIN;
        }
        return line.equalsIgnoreCase("commit") ? COMMIT : line.equalsIgnoreCase("rollback") ? ROLLBACK : OTHER;
    }
}
