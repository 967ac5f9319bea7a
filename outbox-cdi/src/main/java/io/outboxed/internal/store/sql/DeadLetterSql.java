package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Dead letters. */
public final class DeadLetterSql extends StoreSql {
    public DeadLetterSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String addDeadLetter =
            of("INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, " + CONTENT
                    + ", attempts, error, died_at, blocking) SELECT m.id, ?, ?, m.seq, m.shard, m.lane, " + CONTENT_OF_M
                    + ", ?, ?, :now, ? FROM outbox_message m WHERE m.seq = ? AND m.id = ?");
    private final String byDeadKey = " WHERE message_id = ? AND " + besideMessage("handler = ?");

    public final String deleteDeadLetter = of("DELETE FROM outbox_dead" + byDeadKey);
    public final String deadRow = of("SELECT seq, shard FROM outbox_dead" + byDeadKey);
    public final String deadLetter = of("SELECT handler_group, seq, shard, lane, blocking, aggregate_id, died_at"
            + " FROM outbox_dead" + byDeadKey + " FOR UPDATE");
    public final String replay = of("INSERT INTO outbox_message (id, shard, lane, only_handler, " + CONTENT
            + ") SELECT m.message_id, m.shard, m.lane, m.handler, " + CONTENT_OF_M + " FROM outbox_dead m" + byDeadKey);
    public final String replayAsText = replayAs("?, m.payload_binary, ?") + " AND m.payload_binary IS NULL";
    public final String replayAsBytes = replayAs("m.payload, ?, ?") + " AND m.payload_binary IS NOT NULL";

    /** In one statement: change data capture reads inserted rows and no updates. */
    private String replayAs(String payload) {
        return of("INSERT INTO outbox_message (id, shard, lane, only_handler, " + CONTENT
                + ") SELECT ?, m.shard, m.lane, m.handler, " + contentOfM(payload) + " FROM outbox_dead m" + byDeadKey);
    }

    private final String deadColumns =
            "SELECT m.message_id, m.handler, m.handler_group, m.type, m.aggregate_type, m.aggregate_id, m.attempts, m.error, m.died_at,"
                    + " m.seq, m.blocking, :created AS created FROM outbox_dead m";
    public final String oneDead = of(deadColumns + byDeadKey);

    public static final String DIED_SINCE = "m.died_at >= ?";
    public static final String DIED_UNTIL = "m.died_at < ?";
    public static final String DEAD_MESSAGE = "m.message_id = ?";
    public static final String DEAD_HANDLER = "m.handler = ?";
    public static final String DEAD_TYPE = "m.type = ?";
    public static final String DEAD_AGGREGATE_TYPE = "m.aggregate_type = ?";
    public static final String DEAD_AGGREGATE_ID = "m.aggregate_id = ?";

    public static final String DEAD_ERROR = "POSITION(? IN m.error) > 0";
    public static final String DEAD_BLOCKING = "m.blocking = ?";
    /** Not compared with the empty text: to MySQL that equals a text of spaces. */
    public static final String DEAD_OF_AGGREGATE = "CHAR_LENGTH(m.aggregate_id) >= ?";
    /** Of those whose replay comes at the end of their aggregate, none. */
    public static final String KEEPS_ORDER =
            "(m.blocking = ? OR m.aggregate_id IS NULL OR CHAR_LENGTH(m.aggregate_id) = ?)";
    /** The first comparison is for MySQL, which derives no index range from the second one. */
    public static final String DIED_BEFORE = "m.died_at <= ? AND (m.died_at, m.message_id, m.handler) < (?, ?, ?)";

    public static final String DIED_AFTER = "m.died_at >= ? AND (m.died_at, m.message_id, m.handler) > (?, ?, ?)";
    public static final String DIED_NOT_AFTER = "m.died_at <= ? AND (m.died_at, m.message_id, m.handler) <= (?, ?, ?)";

    /**
     * Conditions on columns with an index in which the rows of one value are ordered by died_at. The order begins with
     * the first of them, so that no other index provides it: estimates may favour the index by died_at, which would be
     * read past all newer rows of other values. An aggregate's id usually leaves the fewest rows, and of a forwarder,
     * the type fewer than the handler. Those that block may be any number.
     */
    private static final List<String> INDEXED_DEAD = List.of(DEAD_AGGREGATE_ID, DEAD_TYPE, DEAD_HANDLER, DEAD_BLOCKING);

    /**
     * The index by died_at provides nearly this order: InnoDB appends the primary key to it, others sort the rows of
     * equal times. With all three columns PostgreSQL would use it where the primary key is intended.
     */
    public String newestDead(List<String> conditions) {
        return dead(conditions, " DESC");
    }

    public String oldestDead(List<String> conditions) {
        return dead(conditions, "");
    }

    /** The parameter behind those of the conditions is how many rows come before it. */
    public String endOfStep(List<String> conditions) {
        return of("SELECT m.died_at, m.message_id, m.handler FROM outbox_dead m" + where(conditions)
                + " ORDER BY m.died_at, m.message_id, m.handler LIMIT 1 OFFSET ?");
    }

    private String dead(List<String> conditions, String direction) {
        List<String> where = new ArrayList<>(conditions);
        Set<String> order = new LinkedHashSet<>();
        if (conditions.contains(DEAD_MESSAGE)) {
            // without sorts PostgreSQL would read the index by time instead of the few rows of one message
            order.add("m.died_at + 0");
        } else {
            INDEXED_DEAD.stream().filter(conditions::contains).findFirst().ifPresent(condition -> {
                String column = condition.replace(" = ?", "");
                where.replaceAll(each -> each.equals(condition) ? only(column) : each);
                order.add(column);
            });
            order.add("m.died_at");
        }
        order.addAll(List.of("m.message_id", "m.handler"));
        return of(deadColumns + where(where) + " ORDER BY " + String.join(direction + ", ", order) + direction
                + " LIMIT ?");
    }

    /** Equal to the parameter. With an equation, PostgreSQL would remove the column from the order, and MySQL sort. */
    private String only(String column) {
        return column
                + switch (dialect()) {
                    case MYSQL -> " IN (?, NULL)";
                    case POSTGRESQL -> " = ANY (ARRAY[?])";
                    case MARIADB, H2 -> " = ?";
                };
    }

    public String countDead(List<String> conditions) {
        return count("outbox_dead m" + where(conditions));
    }

    private String where(List<String> conditions) {
        boolean isOfMessage = conditions.contains(DEAD_MESSAGE);
        return conditions.isEmpty()
                ? ""
                : conditions.stream()
                        .map(each -> isOfMessage && !each.equals(DEAD_MESSAGE) ? besideMessage(each) : each)
                        .collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    /**
     * A condition from which PostgreSQL derives no index range. If it takes the table for empty, all indexes seem
     * equally good to it, but all dead letters may be of one handler.
     */
    private String besideMessage(String condition) {
        return dialect() == Dialect.POSTGRESQL ? "(" + condition + ") IS TRUE" : condition;
    }

    public String anyDead(int messages) {
        return of("SELECT DISTINCT message_id FROM outbox_dead WHERE message_id IN " + placeholders(messages));
    }
}
