package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.EventContent;
import io.outboxed.admin.StoredEvent;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingItem;
import io.outboxed.admin.WaitingPage;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.partitions.HistoryRange;
import io.outboxed.internal.store.sql.ErrorKindCondition;
import io.outboxed.internal.store.sql.StateCodes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Lists messages and deliveries page by page, and finds everything that is stored about one event. */
public final class MessageSearch {
    /** Messages of one statement. */
    private static final int STEP = 5_000;

    private static final int SAMPLES = 5;

    private final Connections connections;
    private final OperationsSql sql;
    private final int step;
    private final int mostRead;

    MessageSearch(Connections connections, OperationsSql sql) {
        this(connections, sql, STEP, OutboxAdmin.MAX_SEARCHED);
    }

    /** Its pages end after one step, so that a part of a bulk operation takes no longer. */
    static MessageSearch inSteps(Connections connections, OperationsSql sql) {
        return new MessageSearch(connections, sql, STEP, STEP);
    }

    MessageSearch(Connections connections, OperationsSql sql, int step, int mostRead) {
        this.connections = connections;
        this.sql = sql;
        this.step = step;
        this.mostRead = mostRead;
    }

    /**
     * The oldest first. Reads the messages by number, whatever their state, and stops after some of them: then the page
     * is shorter than its limit, and says where it goes on.
     *
     * @param after the end of the previous page, or null
     */
    public WaitingPage page(WaitingFilter filter, WaitingPosition after, int limit) {
        return page(filter.state(), conditions(filter), after, limit);
    }

    /** A page of the deliveries that are not due yet. */
    WaitingPage notDue(WaitingFilter filter, WaitingPosition after, int limit) {
        return page(filter.state(), notDue(filter), after, limit);
    }

    /** How many deliveries are not due yet, and some of them. */
    public RetryPreview previewRetry(WaitingFilter filter) {
        return new RetryPreview(
                countNotDue(filter), notDue(filter, null, SAMPLES).items());
    }

    /** Counting stops at {@link DeadLetters#MAX_COUNT}. */
    long countNotDue(WaitingFilter filter) {
        Conditions conditions = notDue(filter);
        List<Object> values = new ArrayList<>(List.of(column(filter.state())));
        values.addAll(conditions.values());
        values.add(DeadLetters.MAX_COUNT);
        return connections
                .autoCommit(jdbc -> jdbc.number(sql.countDeliveries(conditions.texts()), values.toArray()))
                .orElseThrow();
    }

    private WaitingPage page(WaitingState state, Conditions conditions, WaitingPosition after, int limit) {
        return connections.autoCommit(jdbc -> {
            List<WaitingItem> found = new ArrayList<>();
            WaitingPosition begin = after == null ? new WaitingPosition(0, "") : after;
            for (int read = 0; read < mostRead; read += step) {
                OptionalLong end = jdbc.first(
                                sql.endOfStep, row -> OptionalLong.of(row.getLong("seq")), begin.seq(), step - 1)
                        .orElse(OptionalLong.empty());
                found.addAll(
                        step(jdbc, state, conditions, begin, end.orElse(Long.MAX_VALUE), limit + 1 - found.size()));
                if (found.size() > limit) {
                    return new WaitingPage(
                            found.subList(0, limit),
                            WaitingPosition.of(found.get(limit - 1)).text());
                }
                if (end.isEmpty()) {
                    return new WaitingPage(found, null);
                }
                // a delivery's position begins at its message, which has been read
                begin = new WaitingPosition(end.getAsLong() + (state.isOfDeliveries() ? 1 : 0), "");
            }
            return new WaitingPage(found, begin.text());
        });
    }

    private List<WaitingItem> step(
            Jdbc jdbc, WaitingState state, Conditions conditions, WaitingPosition begin, long end, int limit)
            throws SQLException {
        List<Object> values = new ArrayList<>(List.of(column(state), begin.seq(), end));
        if (state.isOfDeliveries()) {
            values.add(begin.seq());
            values.add(begin.handler());
        }
        values.addAll(conditions.values());
        values.add(limit);
        String text = state.isOfDeliveries() ? sql.deliveries(conditions.texts()) : sql.messages(conditions.texts());
        return jdbc.list(text, row -> listed(jdbc, row), values.toArray());
    }

    /** Those of a filter besides its state. */
    private Conditions conditions(WaitingFilter filter) {
        Conditions all = new Conditions(sql.dialect())
                .exactly(OperationsSql.HANDLER, filter.handler())
                .where(OperationsSql.ERROR, filter.errorText())
                .exactly(OperationsSql.TYPE, filter.type())
                .exactly(OperationsSql.AGGREGATE_TYPE, filter.aggregateType())
                .exactly(OperationsSql.AGGREGATE_ID, filter.aggregateId())
                .where(OperationsSql.CREATED_SINCE, filter.createdSince())
                .where(OperationsSql.CREATED_UNTIL, filter.createdUntil());
        ErrorKindCondition.add(all, "d.last_error", filter.errorKind());
        return all;
    }

    private Conditions notDue(WaitingFilter filter) {
        return conditions(filter).and(OperationsSql.NOT_DUE);
    }

    private static int column(WaitingState state) {
        return state == WaitingState.PARKED || state == WaitingState.BLOCKED ? 2 : 0;
    }

    private static WaitingItem listed(Jdbc jdbc, ResultSet row) throws SQLException {
        return new WaitingItem(
                row.getLong("seq"),
                jdbc.uuid(row, "id"),
                row.getString("type"),
                orEmpty(row.getString("aggregate_type")),
                orEmpty(row.getString("aggregate_id")),
                row.getString("handler"),
                row.getInt("attempts"),
                EpochMicros.toInstant(row.getLong("created")),
                EpochMicros.toInstant(row.getLong("due_at")),
                row.getString("error"));
    }

    /**
     * Everything about the event; empty lists if nothing is stored.
     *
     * @param deadLetters of this event
     */
    StoredEvent find(UUID id, List<DeadLetter> deadLetters) {
        return connections.autoCommit(jdbc -> new StoredEvent(
                id,
                jdbc.list(sql.rowsOf, MessageSearch::row, id),
                jdbc.list(sql.deliveriesOf, MessageSearch::delivery, id),
                deadLetters,
                history(jdbc, id)));
    }

    private List<Instant> history(Jdbc jdbc, UUID id) throws SQLException {
        List<Instant> times = new ArrayList<>();
        for (HistoryRange range : HistoryRange.all(jdbc, sql.prefix())) {
            times.addAll(
                    jdbc.list(sql.historyOf(range), row -> EpochMicros.toInstant(row.getLong("processed_at")), id));
        }
        return times;
    }

    private static StoredEvent.Message row(ResultSet row) throws SQLException {
        return new StoredEvent.Message(
                row.getLong("seq"),
                StateCodes.messageState(row),
                row.getInt("version"),
                row.getInt("shard"),
                row.getString("type"),
                orEmpty(row.getString("aggregate_type")),
                orEmpty(row.getString("aggregate_id")),
                row.getString("only_handler"),
                row.getInt("payload_size"),
                EpochMicros.toInstant(row.getLong("created")),
                EpochMicros.toInstant(row.getLong("created") + row.getLong("delay_micros")));
    }

    private static StoredEvent.Delivery delivery(ResultSet row) throws SQLException {
        return new StoredEvent.Delivery(
                row.getLong("seq"),
                row.getString("handler"),
                row.getString("handler_group"),
                StateCodes.deliveryState(row),
                row.getInt("attempts"),
                EpochMicros.toInstant(row.getLong("due_at")),
                row.getString("last_error"));
    }

    /** The content of the event, from wherever it is stored. */
    public Optional<EventContent> content(UUID id) {
        // between two reads it may have moved: from its row to a dead letter, or back
        return readContent(id).or(() -> readContent(id));
    }

    private Optional<EventContent> readContent(UUID id) {
        return connections.autoCommit(jdbc -> {
            for (String text : sql.contentsOf) {
                Optional<EventContent> content = content(jdbc, text, id);
                if (content.isPresent()) {
                    return content;
                }
            }
            for (HistoryRange range : HistoryRange.all(jdbc, sql.prefix())) {
                Optional<EventContent> content = content(jdbc, sql.contentOfHistory(range), id);
                if (content.isPresent()) {
                    return content;
                }
            }
            return Optional.empty();
        });
    }

    private static Optional<EventContent> content(Jdbc jdbc, String text, UUID id) throws SQLException {
        return jdbc.first(
                text,
                row -> new EventContent(
                        row.getString("headers"), row.getString("payload"), row.getBytes("payload_binary")),
                id);
    }

    private static String orEmpty(String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
