package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.RetiredDelivery;
import io.outboxed.internal.store.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Gives up deliveries that no deployment will make: their handler is retired, or its registration has been removed
 * since. Safe while relays run: it locks the shard row and then the message, as every decision.
 */
public final class RetiredDeliveries implements AutoCloseable {
    private static final int STEP = 5_000;

    private final Connections connections;
    private final Sql sql;
    private final LaneRows lanes;
    private final int step;

    /** @param source opens connections that take part in no JTA transaction; one at a time */
    public RetiredDeliveries(ConnectionSource source, Dialect dialect, String prefix) {
        this(source, dialect, prefix, STEP);
    }

    /** @param step how many deliveries, of whatever handler, one statement reads */
    public RetiredDeliveries(ConnectionSource source, Dialect dialect, String prefix, int step) {
        this(new Connections(source, dialect, 1), dialect, prefix, step);
    }

    /** @param connections are closed with this object */
    public RetiredDeliveries(Connections connections, Dialect dialect, String prefix) {
        this(connections, dialect, prefix, STEP);
    }

    private RetiredDeliveries(Connections connections, Dialect dialect, String prefix, int step) {
        this.step = step;
        this.connections = connections;
        this.sql = new Sql(dialect, prefix);
        this.lanes = new LaneRows(sql);
    }

    /**
     * How many deliveries wait for a handler.
     *
     * @param isAll false: not all deliveries were read, so at least these
     */
    public record Count(long found, boolean isAll) {
        public boolean isNone() {
            return found == 0 && isAll;
        }
    }

    /** What became of a delivery. */
    public enum Result {
        DROPPED,
        /** The delivery is gone, or its handler is in use again. */
        GONE,
        /** Another transaction has locked the message. */
        LOCKED
    }

    /** The event types for which the handler is registered, and whether it is retired there. */
    public Map<String, Boolean> registrations(String handler) {
        Map<String, Boolean> types = new TreeMap<>();
        connections.autoCommit(jdbc -> jdbc.list(
                sql.retired.registrations,
                row -> types.put(row.getString("type"), row.getInt("retired") != 0),
                handler));
        return types;
    }

    /** Messages that are stored from now on no longer wait for the handler; nodes notice within a few seconds. */
    public boolean retire(String type, String handler, ChangeRecorder recorder) {
        return connections.transaction(jdbc -> {
            boolean retired = jdbc.update(sql.retired.retire, type, handler) == 1;
            if (retired) {
                recorder.record(jdbc, null, handler);
            }
            return retired;
        });
    }

    /**
     * Counts the waiting deliveries of the handler, for all types.
     *
     * @param most how many deliveries are read, of whatever handler
     */
    public Count count(String handler, int most) {
        return connections
                .autoCommit(jdbc -> jdbc.first(
                        sql.retired.countWaitingFor,
                        row -> new Count(row.getLong("found"), row.getLong("seen") < most),
                        handler,
                        most))
                .orElseThrow();
    }

    /**
     * Finds waiting deliveries of the handler, for types for which it is not in use. What waits for the first handler of
     * its type is not among them. All pages together read each delivery once, of whatever handler, in short statements.
     *
     * @param after the last one of the previous page, or null
     * @return some of those that follow, up to the limit; empty if none follows
     */
    public List<RetiredDelivery> find(String handler, RetiredDelivery after, int limit) {
        Position begin = after == null ? Position.FIRST : new Position(after.lane(), after.seq());
        return find(handler, begin, limit, Long.MAX_VALUE);
    }

    /**
     * Whether {@link #find} would find any.
     *
     * @param most about how many deliveries are read, of whatever handler
     */
    public boolean anyFound(String handler, int most) {
        return !find(handler, Position.FIRST, 1, (most + step - 1L) / step).isEmpty();
    }

    private List<RetiredDelivery> find(String handler, Position begin, int limit, long steps) {
        if (handler.equals(LaneWait.NO_HANDLER)) {
            return List.of();
        }
        return connections.autoCommit(jdbc -> {
            Position from = begin;
            for (long left = steps; ; left--) {
                Optional<Position> until = end(jdbc, from);
                List<RetiredDelivery> found = find(jdbc, handler, from, until, limit);
                if (!found.isEmpty() || until.isEmpty() || left == 1) {
                    return found;
                }
                from = until.get();
            }
        });
    }

    /** In the order of the index by lane. */
    private record Position(LaneWait lane, long seq) {
        private static final Position FIRST = new Position(new LaneWait(Long.MIN_VALUE, 0, ""), 0);

        List<Object> values() {
            return List.of(lane.lane(), lane.lane(), lane.group(), seq);
        }
    }

    /** Where the next step ends; empty if it is the last one. */
    private Optional<Position> end(Jdbc jdbc, Position from) throws SQLException {
        List<Object> values = new ArrayList<>(from.values());
        values.add(step - 1);
        return jdbc.first(
                sql.retired.endOfWaiting,
                row -> new Position(JdbcMessageReads.laneWait(row), row.getLong("seq")),
                values.toArray());
    }

    private List<RetiredDelivery> find(Jdbc jdbc, String handler, Position from, Optional<Position> until, int limit)
            throws SQLException {
        List<Object> values = new ArrayList<>(from.values());
        until.ifPresent(end -> values.addAll(end.values()));
        values.addAll(List.of(handler, limit));
        return jdbc.list(sql.retired.waitingFor(until.isPresent()), row -> row(jdbc, row, handler), values.toArray());
    }

    /** Drops the delivery, and its message if no other delivery is left of it. */
    public Result drop(RetiredDelivery delivery, ChangeRecorder recorder) {
        try {
            return connections.transaction(jdbc -> dropLocked(jdbc, delivery, recorder)) ? Result.DROPPED : Result.GONE;
        } catch (StoreException e) {
            if (MessageRow.isLocked(e)) {
                return Result.LOCKED;
            }
            throw e;
        }
    }

    private boolean dropLocked(Jdbc jdbc, RetiredDelivery delivery, ChangeRecorder recorder) throws SQLException {
        jdbc.exists(sql.nodes.lockShard, delivery.lane().shard());
        boolean split = MessageRow.lock(jdbc, sql, delivery.seq(), delivery.messageId())
                .filter(status -> status == MessageState.SPLIT)
                .isPresent();
        if (!split || isInUse(jdbc, delivery)) {
            return false;
        }
        int dropped =
                jdbc.update(sql.deliveries.deleteWaiting, delivery.messageId(), delivery.handler(), delivery.seq());
        if (dropped == 0) {
            return false;
        }
        MessageRow.splitOrDelete(jdbc, sql, delivery.seq(), delivery.messageId());
        lanes.refresh(jdbc, delivery.lane());
        recorder.record(jdbc, delivery.messageId(), delivery.handler());
        return true;
    }

    private boolean isInUse(Jdbc jdbc, RetiredDelivery delivery) throws SQLException {
        return delivery.handler().equals(LaneWait.NO_HANDLER)
                || jdbc.exists(sql.retired.inUse, delivery.handler(), delivery.type());
    }

    private static RetiredDelivery row(Jdbc jdbc, ResultSet row, String handler) throws SQLException {
        return new RetiredDelivery(
                jdbc.uuid(row, "message_id"),
                row.getLong("seq"),
                JdbcMessageReads.laneWait(row),
                handler,
                row.getString("type"),
                Objects.requireNonNullElse(row.getString("aggregate_type"), ""),
                Objects.requireNonNullElse(row.getString("aggregate_id"), ""));
    }

    @Override
    public void close() {
        connections.close();
    }
}
