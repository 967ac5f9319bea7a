package io.outboxed.internal.operations;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.AuditPage;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * What operators have changed, and which dead letters nodes have deleted because of their age. Each row is written in the
 * transaction of its change.
 */
public final class AuditTrail {
    /** The way in of a change that no operator has made. */
    public static final String VIA_NODE = "node";

    private static final String RETIRE = "retire";
    private static final int MAX_TARGET = 500;
    private static final String CUT = "…";

    private final Connections connections;
    private final OperationsSql sql;

    AuditTrail(Connections connections, OperationsSql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    void add(Jdbc jdbc, Attribution by, String action, String target, UUID messageId) throws SQLException {
        add(jdbc, UUID.randomUUID(), by, action, target, messageId, 1);
    }

    private void add(Jdbc jdbc, UUID id, Attribution by, String action, String target, UUID messageId, long changes)
            throws SQLException {
        String shown = shown(target);
        if (messageId == null) {
            jdbc.update(sql.addAuditOfNoEvent, id, by.who(), by.via(), by.why(), action, shown, changes);
        } else {
            jdbc.update(sql.addAudit, id, by.who(), by.via(), by.why(), action, shown, changes, messageId);
        }
    }

    private static String shown(String target) {
        if (target.length() <= MAX_TARGET) {
            return target;
        }
        int end = MAX_TARGET - CUT.length();
        return target.substring(0, Character.isHighSurrogate(target.charAt(end - 1)) ? end - 1 : end) + CUT;
    }

    /**
     * Writes one row for changes in several transactions, each of which brings it up to date. Without the right to do
     * that, the row is not written either.
     *
     * @param target all that was changed so far
     * @param changes as many as that
     */
    public void sum(Jdbc jdbc, UUID id, Attribution by, String action, String target, long changes)
            throws SQLException {
        jdbc.update(sql.sumAudit, shown(target), changes, id);
        // the count of an update that changes nothing depends on useAffectedRows
        if (!jdbc.exists(sql.hasAudit, id)) {
            add(jdbc, id, by, action, target, null, changes);
        }
    }

    /** Writes a row for each delivery: nothing else may remain of it. */
    public ChangeRecorder each(Attribution by, String action) {
        return (jdbc, messageId, handler) -> add(jdbc, by, action, "handler " + handler, messageId);
    }

    /** Names the type too: a handler is retired for one type after the other. */
    public ChangeRecorder retiring(Attribution by, String type) {
        return (jdbc, messageId, handler) -> add(jdbc, by, RETIRE, retired(handler) + type, messageId);
    }

    private static String retired(String handler) {
        return "handler " + handler + " for type ";
    }

    /**
     * How long ago the handler was last retired for a type, by whomever.
     *
     * @param within what is longer ago is not read
     * @return never negative
     */
    Optional<Duration> lastRetired(String handler, Duration within) {
        record Retired(String target, long ageMicros) {}
        long micros = TimeUnit.MICROSECONDS.convert(within);
        return connections
                .autoCommit(jdbc -> jdbc.list(
                        sql.recentTargets,
                        row -> new Retired(row.getString("target"), row.getLong("age")),
                        RETIRE,
                        micros,
                        micros))
                .stream()
                .filter(each -> each.target().startsWith(retired(handler)))
                .map(each -> Duration.of(Math.max(0, each.ageMicros()), ChronoUnit.MICROS))
                .min(Comparator.naturalOrder());
    }

    /** Names what has taken the place of the event. */
    ChangeRecorder replacing(Attribution by, UUID newId) {
        return (jdbc, messageId, handler) ->
                add(jdbc, by, "edit", "handler " + handler + ", new event " + newId, messageId);
    }

    /**
     * Writes one row for all deliveries, which counts them.
     *
     * @param only the event that all of them belong to, or null
     */
    public ChangeRecorder counted(Attribution by, String action, String target, UUID only) {
        UUID id = UUID.randomUUID();
        return (jdbc, messageId, handler) -> {
            if (jdbc.update(sql.countAudit, id) == 0) {
                add(jdbc, id, by, action, target, only, 1);
            }
        };
    }

    /** Writes the row of a change that takes a while, and that {@link #counted(UUID)} counts. */
    void begin(Jdbc jdbc, UUID id, Attribution by, String action, String target) throws SQLException {
        add(jdbc, id, by, action, target, null, 0);
    }

    /** Counts the deliveries in the row that {@link #begin} has written. */
    ChangeRecorder counted(UUID id) {
        return (jdbc, messageId, handler) -> jdbc.update(sql.countAudit, id);
    }

    /**
     * The newest first.
     *
     * @param after the last row of the previous page, or null
     */
    public AuditPage page(AuditPosition after, int limit) {
        List<AuditEntry> found = list(after, limit + 1);
        if (found.size() <= limit) {
            return new AuditPage(found, null);
        }
        String next = AuditPosition.of(found.get(limit - 1)).text();
        return new AuditPage(found.subList(0, limit), next);
    }

    private List<AuditEntry> list(AuditPosition after, int limit) {
        return connections.autoCommit(jdbc -> after == null
                ? jdbc.list(sql.audit, row -> entry(jdbc, row), limit)
                : jdbc.list(
                        sql.auditBefore, row -> entry(jdbc, row), after.micros(), after.micros(), after.id(), limit));
    }

    private static AuditEntry entry(Jdbc jdbc, ResultSet row) throws SQLException {
        UUID messageId = row.getObject("message_id") == null ? null : jdbc.uuid(row, "message_id");
        return new AuditEntry(
                jdbc.uuid(row, "id"),
                EpochMicros.toInstant(row.getLong("changed_at")),
                new Attribution(row.getString("changed_by"), row.getString("changed_via"), row.getString("reason")),
                row.getString("action"),
                row.getString("target"),
                messageId,
                row.getLong("changes"));
    }
}
