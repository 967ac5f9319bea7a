package io.outboxed.internal.operations;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Lists messages and deliveries page by page, and finds everything that is stored about one event. */
public final class MessageSearch implements AutoCloseable {
    private final Connections connections;
    private final OperationsSql sql;

    MessageSearch(ConnectionSource source, Dialect dialect, String prefix) {
        this.connections = new Connections(source, dialect, 1);
        this.sql = new OperationsSql(dialect, prefix);
    }

    /**
     * The oldest first.
     *
     * @param filter its handler and error apply to deliveries only
     * @param after the last line of the previous page, or null
     */
    public List<ListedDelivery> list(ListedState state, ListFilter filter, ListedDelivery after, int limit) {
        List<String> conditions = new ArrayList<>();
        List<Object> values = new ArrayList<>(List.of(state.column()));
        long seq = after == null ? 0 : after.seq();
        values.add(seq);
        if (state.isOfDelivery()) {
            values.add(seq);
            values.add(after == null ? "" : after.handler());
            where(OperationsSql.HANDLER, filter.handler(), conditions, values);
            where(OperationsSql.ERROR, filter.errorText(), conditions, values);
        }
        where(OperationsSql.TYPE, filter.type(), conditions, values);
        where(OperationsSql.AGGREGATE_TYPE, filter.aggregateType(), conditions, values);
        where(OperationsSql.AGGREGATE_ID, filter.aggregateId(), conditions, values);
        values.add(limit);
        String text = state.isOfDelivery() ? sql.deliveries(conditions) : sql.messages(conditions);
        return connections.read(jdbc -> jdbc.list(text, row -> listed(jdbc, row), values.toArray()));
    }

    private static void where(String condition, String value, List<String> conditions, List<Object> values) {
        if (value != null) {
            conditions.add(condition);
            values.add(value);
        }
    }

    private static ListedDelivery listed(Jdbc jdbc, ResultSet row) throws SQLException {
        return new ListedDelivery(
                row.getLong("seq"),
                jdbc.uuid(row, "id"),
                row.getString("type"),
                orEmpty(row.getString("aggregate_type")),
                orEmpty(row.getString("aggregate_id")),
                row.getString("handler"),
                row.getInt("attempts"),
                time(row.getLong("created")),
                time(row.getLong("due_at")),
                row.getString("error"));
    }

    /** Everything about the event except its dead letters; empty lists if nothing is stored. */
    public StoredEvent find(UUID id) {
        return connections.read(jdbc -> new StoredEvent(
                id,
                jdbc.list(sql.rowsOf, MessageSearch::row, id),
                jdbc.list(sql.deliveriesOf, MessageSearch::delivery, id),
                jdbc.list(sql.historyOf, row -> time(row.getLong("processed_at")), id)));
    }

    private static StoredEvent.Row row(ResultSet row) throws SQLException {
        return new StoredEvent.Row(
                row.getLong("seq"),
                StoredEvent.Row.state(row.getInt("status")),
                row.getInt("version"),
                row.getInt("shard"),
                row.getString("type"),
                orEmpty(row.getString("aggregate_type")),
                orEmpty(row.getString("aggregate_id")),
                row.getString("only_handler"),
                row.getInt("payload_size"),
                time(row.getLong("created")),
                time(row.getLong("created") + row.getLong("delay_micros")));
    }

    private static StoredEvent.Delivery delivery(ResultSet row) throws SQLException {
        return new StoredEvent.Delivery(
                row.getLong("seq"),
                row.getString("handler"),
                row.getString("handler_group"),
                StoredEvent.Delivery.state(row.getInt("state")),
                row.getInt("attempts"),
                time(row.getLong("due_at")),
                row.getString("last_error"));
    }

    /** The content of the event, from wherever it is stored. */
    public Optional<StoredEvent.Content> content(UUID id) {
        return connections.read(jdbc -> {
            for (String text : sql.contentsOf) {
                Optional<StoredEvent.Content> content = jdbc.first(
                        text,
                        row -> new StoredEvent.Content(
                                row.getString("headers"), row.getString("payload"), row.getBytes("payload_binary")),
                        id);
                if (content.isPresent()) {
                    return content;
                }
            }
            return Optional.empty();
        });
    }

    private static String orEmpty(String text) {
        return Objects.requireNonNullElse(text, "");
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    @Override
    public void close() {
        connections.close();
    }
}
