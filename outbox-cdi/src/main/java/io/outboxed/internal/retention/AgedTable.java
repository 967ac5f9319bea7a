package io.outboxed.internal.retention;

/** The tables whose rows are deleted because of their age. */
public enum AgedTable {
    HISTORY("history", "processed_at", "id", ""),
    INBOX("inbox", "received_at", "receiver, message_id", ""),
    /** Only letters that block nothing: a blocked aggregate waits for an operator, however long. */
    DEAD_LETTERS("dead", "died_at", "message_id, handler", " AND blocking = 0"),
    /** Not the row in which a bulk operation that is running counts what it changes. */
    AUDIT(
            "audit",
            "changed_at",
            "id",
            " AND id NOT IN (SELECT r.id FROM outbox_operation r WHERE r.ended_at IS NULL OR r.ended_at = "
                    + AgedTable.NOT_FOR_OLDER + ")"),
    /** Those that are running have no end yet. */
    OPERATIONS("operation", "ended_at", "id", "");

    /**
     * The end of a bulk operation that is running and has a condition in a column that older versions do not read. They
     * work on what has no end, and would change whatever meets the other conditions.
     */
    public static final long NOT_FOR_OLDER = Long.MAX_VALUE;

    private final String suffix;
    private final String time;
    private final String otherKeys;
    private final String condition;

    AgedTable(String suffix, String time, String otherKeys, String condition) {
        this.suffix = suffix;
        this.time = time;
        this.otherKeys = otherKeys;
        this.condition = condition;
    }

    /** The table's name without the prefix. */
    public String suffix() {
        return suffix;
    }

    /** The indexed column that decides, in microseconds since 1970 UTC. */
    String time() {
        return time;
    }

    /** The columns that identify a row together with its time. */
    String otherKeys() {
        return otherKeys;
    }

    /** A further condition, beginning with AND, or nothing. */
    String condition() {
        return condition;
    }
}
