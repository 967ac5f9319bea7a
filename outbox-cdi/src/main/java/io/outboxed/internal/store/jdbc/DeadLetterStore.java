package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.DeadLetterRow;
import io.outboxed.internal.store.LaneWait;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What an operator does with dead letters. Works beside any relay: it locks the shard row, whoever holds it. */
public final class DeadLetterStore implements AutoCloseable {
    private final Connections connections;
    private final Sql sql;
    private final LaneRows lanes;

    /** @param source opens connections that take part in no JTA transaction; one at a time */
    public DeadLetterStore(ConnectionSource source, Dialect dialect, String prefix) {
        this.connections = new Connections(source, dialect, 1, Duration.ZERO, System::nanoTime);
        this.sql = new Sql(dialect, prefix);
        this.lanes = new LaneRows(sql);
    }

    private record Letter(UUID id, String handler, String group, long seq, int shard, long lane, boolean blocked) {
        LaneWait waitingLane() {
            return new LaneWait(lane, shard, group);
        }
    }

    private interface Change {
        void apply(Jdbc jdbc, Letter letter) throws SQLException;
    }

    /** The newest first. @param after the last row of the page before, or null */
    public List<DeadLetterRow> list(int limit, DeadLetterRow after) {
        return connections.read(jdbc -> after == null
                ? jdbc.list(sql.deadLetters, row -> row(jdbc, row), limit)
                : jdbc.list(
                        sql.deadLettersAfter,
                        row -> row(jdbc, row),
                        after.diedAtMicros(),
                        after.messageId(),
                        after.handler(),
                        limit));
    }

    /**
     * Delivers once more, with all attempts anew. A blocked delivery goes on in its place; one that was skipped becomes a
     * new row like any other at the end of its lane, with the same event id, for this handler only.
     *
     * @return false if there is no such dead letter
     */
    public boolean replay(UUID messageId, String handler) {
        return change(messageId, handler, (jdbc, letter) -> {
            if (!unblock(jdbc, letter)) {
                jdbc.update(sql.replay, messageId, handler);
            }
        });
    }

    /** Forgets the dead letter; a blocked delivery is given up and its lane goes on. @return false if there is none */
    public boolean discard(UUID messageId, String handler) {
        return change(messageId, handler, (jdbc, letter) -> {
            if (letter.blocked()) {
                jdbc.exists(sql.lockMessage, letter.seq(), messageId);
                jdbc.update(sql.deleteDelivery, messageId, handler, letter.seq());
                boolean open = jdbc.exists(sql.deliveries, messageId, letter.seq());
                jdbc.update(open ? sql.splitMessage : sql.deleteMessage, letter.seq(), messageId);
            }
        });
    }

    private boolean change(UUID messageId, String handler, Change change) {
        return connections.transaction(jdbc -> {
            Optional<Integer> shard = jdbc.first(sql.deadShard, row -> row.getInt("shard"), messageId, handler);
            if (shard.isEmpty()) {
                return false;
            }
            // the order of every decision: shard, then message; two operators at once are serialised here
            jdbc.exists(sql.lockShard, shard.get());
            Optional<Letter> letter =
                    jdbc.first(sql.deadLetter, row -> letter(messageId, handler, row), messageId, handler);
            if (letter.isEmpty()) {
                return false;
            }
            change.apply(jdbc, letter.get());
            jdbc.update(sql.deleteDeadLetter, messageId, handler);
            if (letter.get().blocked()) {
                // also where somebody has deleted its message: nothing else would free the lane
                lanes.refresh(jdbc, letter.get().waitingLane());
            }
            return true;
        });
    }

    private boolean unblock(Jdbc jdbc, Letter letter) throws SQLException {
        if (!letter.blocked() || !jdbc.exists(sql.lockMessage, letter.seq(), letter.id())) {
            return false;
        }
        int pending = jdbc.update(
                sql.changeDelivery,
                letter.group(),
                DeliveryState.PENDING,
                0,
                0L,
                null,
                letter.id(),
                letter.handler(),
                letter.seq());
        if (pending == 0) {
            return false;
        }
        jdbc.update(sql.splitMessage, letter.seq(), letter.id());
        return true;
    }

    private static Letter letter(UUID messageId, String handler, ResultSet row) throws SQLException {
        return new Letter(
                messageId,
                handler,
                row.getString("handler_group"),
                row.getLong("seq"),
                row.getInt("shard"),
                row.getLong("lane"),
                row.getInt("blocked") == 1);
    }

    private static DeadLetterRow row(Jdbc jdbc, ResultSet row) throws SQLException {
        return new DeadLetterRow(
                jdbc.uuid(row, "message_id"),
                row.getString("handler"),
                row.getString("handler_group"),
                row.getString("type"),
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getInt("attempts"),
                row.getString("error"),
                Instant.EPOCH.plus(row.getLong("created"), ChronoUnit.MICROS),
                row.getLong("died_at"),
                row.getInt("blocked") == 1);
    }

    @Override
    public void close() {
        connections.close();
    }
}
