package io.outboxed.faults.wire;

import java.util.regex.Pattern;

/** What a statement means for the delivery of an event. */
enum Spoken {
    CLAIM,
    ACK,
    COMMIT,
    ROLLBACK,
    OTHER;

    private static final Pattern CLAIMS =
            Pattern.compile("UPDATE outbox_message SET version = version \\+ 1 WHERE seq.*");
    private static final Pattern ACKS = Pattern.compile(
            "(DELETE (m )?FROM .*outbox_message .*|INSERT INTO outbox_delivery \\(message_id, handler, seq.*)");

    static Spoken of(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        if (CLAIMS.matcher(line).matches()) {
            return CLAIM;
        }
        if (ACKS.matcher(line).matches()) {
            return ACK;
        }
        return line.equalsIgnoreCase("commit") ? COMMIT : line.equalsIgnoreCase("rollback") ? ROLLBACK : OTHER;
    }
}
