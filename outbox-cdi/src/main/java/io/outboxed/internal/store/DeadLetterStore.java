package io.outboxed.internal.store;

import java.sql.ResultSet;
import java.sql.SQLException;
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
        this.connections = new Connections(source, dialect, 1);
        this.sql = new Sql(dialect, prefix);
        this.lanes = new LaneRows(sql);
    }

    private record Letter(UUID id, String handler, long seq, int shard, long lane, boolean blocked) {
        WaitingLane waitingLane() {
            return new WaitingLane(lane, shard, handler);
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
     * new row at the end of its lane, with the same event id, for this handler only.
     *
     * @return false if there is no such dead letter
     */
    public boolean replay(UUID messageId, String handler) {
        return change(messageId, handler, (jdbc, letter) -> {
            if (!unblock(jdbc, letter)) {
                revive(jdbc, letter);
            }
        });
    }

    /** Forgets the dead letter; a blocked delivery is given up and its lane goes on. @return false if there is none */
    public boolean discard(UUID messageId, String handler) {
        return change(messageId, handler, (jdbc, letter) -> {
            if (!letter.blocked() || !jdbc.exists(sql.lockMessage, letter.seq(), messageId)) {
                return;
            }
            if (jdbc.update(sql.deleteDelivery, messageId, handler, letter.seq()) == 1) {
                lanes.resume(jdbc, letter.waitingLane(), letter.seq());
            }
            boolean open = jdbc.exists(sql.deliveries, messageId, letter.seq());
            jdbc.update(open ? sql.splitMessage : sql.deleteMessage, letter.seq(), messageId);
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
            jdbc.update(sql.unbury, messageId, handler);
            return true;
        });
    }

    private boolean unblock(Jdbc jdbc, Letter letter) throws SQLException {
        if (!letter.blocked() || !jdbc.exists(sql.lockMessage, letter.seq(), letter.id())) {
            return false;
        }
        int pending = jdbc.update(
                sql.changeDelivery, DeliveryState.PENDING, 0, null, letter.id(), letter.handler(), letter.seq());
        if (pending == 0) {
            return false;
        }
        jdbc.update(sql.splitMessage, letter.seq(), letter.id());
        lanes.retry(jdbc, letter.waitingLane(), letter.seq(), 0);
        return true;
    }

    private void revive(Jdbc jdbc, Letter letter) throws SQLException {
        long seq = jdbc.insertForKey(sql.revive, "seq", letter.id(), letter.handler());
        jdbc.update(
                sql.addDelivery,
                letter.id(),
                letter.handler(),
                seq,
                letter.lane(),
                letter.shard(),
                DeliveryState.PENDING,
                0,
                null);
        lanes.retry(jdbc, letter.waitingLane(), seq, 0);
    }

    private static Letter letter(UUID messageId, String handler, ResultSet row) throws SQLException {
        return new Letter(
                messageId,
                handler,
                row.getLong("seq"),
                row.getInt("shard"),
                row.getLong("lane"),
                row.getInt("blocked") == 1);
    }

    private static DeadLetterRow row(Jdbc jdbc, ResultSet row) throws SQLException {
        return new DeadLetterRow(
                jdbc.uuid(row, "message_id"),
                row.getString("handler"),
                row.getString("handler"),
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
