package io.outboxed.internal.operations;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The stored bulk operations. {@link BulkRunner} works on them. */
public final class BulkOperations {
    private final Connections connections;
    private final BulkSql sql;
    private final DeadLetterStore letters;
    private final MessageSearch messages;
    private final AuditTrail audit;

    BulkOperations(
            Connections connections, BulkSql sql, DeadLetterStore letters, MessageSearch messages, AuditTrail audit) {
        this.connections = connections;
        this.sql = sql;
        this.letters = letters;
        this.messages = messages;
        this.audit = audit;
    }

    /** @param reached the end of the batch that was done last, or null */
    record Running(BulkOperation operation, String reached) {}

    /** The operation has ended, or another node has gone on: the change that notices it is rolled back. */
    static final class OvertakenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OvertakenException(UUID id) {
            super("bulk operation " + id + " has ended, or another node works on it", null, false, false);
        }
    }

    /**
     * What dies later, or for a retry is stored later, is not included.
     *
     * @throws OperationRunningException if another one that has not ended may select the same
     * @throws IllegalArgumentException if a retry selects only what is stored later
     */
    public BulkOperation start(BulkRequest asked, Attribution by) {
        DeadLetterFilter filter = inMicros(letters.batches(connections).bounded(asked.filter()));
        BulkRequest request = new BulkRequest(asked.kind(), filter, asked.allowReordering(), asked.perSecond());
        long matched = matched(request);
        UUID id = UUID.randomUUID();
        BulkOperation started = connections.transaction(jdbc -> {
            // two operators at once: the second waits here
            jdbc.exists(sql.lockRegistry);
            refuseOverlap(jdbc, request);
            jdbc.update(
                    sql.start,
                    id,
                    request.kind().ordinal(),
                    filter.messageId() == null ? null : filter.messageId().toString(),
                    filter.handler(),
                    filter.type(),
                    filter.aggregateType(),
                    filter.aggregateId(),
                    filter.errorText(),
                    filter.errorKind(),
                    filter.diedSince() == null ? 0 : micros(filter.diedSince()),
                    micros(filter.diedUntil()),
                    filter.blocking() ? 1 : 0,
                    request.allowReordering() ? 1 : 0,
                    request.perSecond(),
                    matched,
                    by.who(),
                    by.via(),
                    by.why(),
                    filter.errorKind() == null ? 0 : AgedTable.NOT_FOR_OLDER);
            audit.begin(jdbc, id, by, word(request), DeadLetterChanges.words(request));
            return one(jdbc, id).orElseThrow();
        });
        OutboxLog.bulkStarted(id, request.kind(), matched, by.who());
        return started;
    }

    /** As it will be read. */
    private static DeadLetterFilter inMicros(DeadLetterFilter filter) {
        Instant since = filter.diedSince();
        return filter.diedSince(since == null ? null : since.truncatedTo(ChronoUnit.MICROS))
                .diedUntil(filter.diedUntil().truncatedTo(ChronoUnit.MICROS));
    }

    private long matched(BulkRequest request) {
        return request.kind() == Kind.RETRY ? messages.countNotDue(request.waiting()) : letters.count(request.filter());
    }

    private void refuseOverlap(Jdbc jdbc, BulkRequest request) throws SQLException {
        for (Running each : running(jdbc, Integer.MAX_VALUE)) {
            if (each.operation().request().mayOverlap(request)) {
                throw new OperationRunningException(each.operation());
            }
        }
    }

    public Optional<BulkOperation> find(UUID id) {
        return connections.autoCommit(jdbc -> one(jdbc, id));
    }

    private Optional<BulkOperation> one(Jdbc jdbc, UUID id) throws SQLException {
        return jdbc.first(sql.one, row -> running(jdbc, row).operation(), id);
    }

    /** Those that are running, the oldest first, then those that have ended, the most recent first. */
    public List<BulkOperation> list(int limit) {
        // one that ends in between is found twice
        Map<UUID, BulkOperation> found = new LinkedHashMap<>();
        running(limit).forEach(each -> found.put(each.operation().id(), each.operation()));
        connections
                .autoCommit(
                        jdbc -> jdbc.list(sql.ended, row -> running(jdbc, row).operation(), limit))
                .forEach(each -> found.put(each.id(), each));
        return found.values().stream().limit(limit).toList();
    }

    /** @return how it has ended; empty if it is not running */
    public Optional<BulkOperation> cancel(UUID id, Attribution by) {
        Optional<BulkOperation> cancelled = connections.transaction(jdbc -> {
            Optional<BulkOperation> ended = end(jdbc, id, State.CANCELLED);
            if (ended.isPresent()) {
                audit.add(jdbc, by, "cancel", "operation " + id, null);
            }
            return ended;
        });
        cancelled.ifPresent(ended -> OutboxLog.bulkCancelled(id, ended.request().kind(), ended.changed(), by.who()));
        return cancelled;
    }

    // ---- for the runner ----

    List<Running> running(int limit) {
        return connections.autoCommit(jdbc -> running(jdbc, limit));
    }

    private List<Running> running(Jdbc jdbc, int limit) throws SQLException {
        return jdbc.list(sql.running, row -> running(jdbc, row), limit);
    }

    /** Counts each change in its own transaction, which fails if the operation has ended. */
    ChangeRecorder counting(UUID id) {
        return counting(id, jdbc -> jdbc.update(sql.count, id));
    }

    /**
     * Also moves the position on, in the transaction of the change, which fails if another node has done so.
     *
     * @param from the position that is stored, or null
     */
    ChangeRecorder reaching(UUID id, String from, String position) {
        return counting(id, jdbc -> jdbc.update(sql.countAndReach, position, id, from == null ? "" : from));
    }

    private ChangeRecorder counting(UUID id, Connections.Work<Integer> count) {
        ChangeRecorder inAudit = audit.counted(id);
        return (jdbc, messageId, handler) -> {
            if (count.run(jdbc) == 0) {
                throw new OvertakenException(id);
            }
            inAudit.record(jdbc, messageId, handler);
        };
    }

    /**
     * @param from the position that is stored, or null
     * @return false if the operation has ended, or another node has moved it on
     */
    boolean reached(UUID id, String from, String position) {
        return position.equals(from)
                || connections.transaction(jdbc -> jdbc.update(sql.reach, position, id, from == null ? "" : from)) == 1;
    }

    void complete(UUID id) {
        Optional<BulkOperation> complete = connections.transaction(jdbc -> end(jdbc, id, State.COMPLETE));
        complete.ifPresent(
                ended -> OutboxLog.bulkComplete(id, ended.request().kind(), ended.changed(), ended.matched()));
    }

    private Optional<BulkOperation> end(Jdbc jdbc, UUID id, State state) throws SQLException {
        Optional<BulkOperation> operation = one(jdbc, id);
        if (operation.isEmpty()) {
            return operation;
        }
        DeadLetterFilter kept =
                DeadLetterChanges.withoutData(operation.get().request().filter());
        return jdbc.update(sql.end, state.ordinal(), kept.errorText(), kept.errorKind(), id) == 0
                ? Optional.empty()
                : one(jdbc, id);
    }

    static String word(BulkRequest request) {
        return request.kind().name().toLowerCase(Locale.ROOT);
    }

    private static Running running(Jdbc jdbc, ResultSet row) throws SQLException {
        String message = row.getString("only_message");
        long since = row.getLong("died_since");
        DeadLetterFilter filter = new DeadLetterFilter(
                message == null ? null : UUID.fromString(message),
                row.getString("handler"),
                row.getString("type"),
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getString("error_text"),
                row.getString("error_kind"),
                since == 0 ? null : EpochMicros.toInstant(since),
                EpochMicros.toInstant(row.getLong("died_until")),
                row.getInt("blocking") != 0);
        State state = State.values()[row.getInt("state")];
        return new Running(
                new BulkOperation(
                        jdbc.uuid(row, "id"),
                        new BulkRequest(
                                Kind.values()[row.getInt("kind")],
                                filter,
                                row.getInt("accept_order") != 0,
                                row.getInt("per_second")),
                        new Attribution(
                                row.getString("started_by"), row.getString("started_via"), row.getString("reason")),
                        state,
                        row.getLong("matched"),
                        row.getLong("changes"),
                        EpochMicros.toInstant(row.getLong("started_at")),
                        state == State.RUNNING ? null : EpochMicros.toInstant(row.getLong("ended_at"))),
                row.getString("reached"));
    }

    /** Nothing has died before 1970. */
    private static long micros(Instant time) {
        return Math.max(0, EpochMicros.of(time));
    }
}
