package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.DeliveryState;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.internal.store.sql.StateCodes;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

/** What can be done with a dead letter, under the lock of its shard and before the dead letter is deleted. */
final class DeadLetterActions {
    private final Sql sql;

    DeadLetterActions(Sql sql) {
        this.sql = sql;
    }

    interface Action {
        /** @return false if it is left as it is */
        boolean apply(Jdbc jdbc, Letter letter) throws SQLException;

        default Action recordedBy(ChangeRecorder recorder) {
            return (jdbc, letter) -> {
                boolean changed = apply(jdbc, letter);
                if (changed) {
                    recorder.record(jdbc, letter.id(), letter.handler());
                }
                return changed;
            };
        }
    }

    /** The dead letter as it is under the lock. */
    record Letter(
            UUID id,
            String handler,
            String group,
            long seq,
            int shard,
            long lane,
            boolean blocking,
            boolean ofAggregate,
            long diedAtMicros) {
        static Letter of(UUID messageId, String handler, ResultSet row) throws SQLException {
            return new Letter(
                    messageId,
                    handler,
                    row.getString("handler_group"),
                    row.getLong("seq"),
                    row.getInt("shard"),
                    row.getLong("lane"),
                    row.getInt("blocking") == 1,
                    !Objects.requireNonNullElse(row.getString("aggregate_id"), "")
                            .isEmpty(),
                    row.getLong("died_at"));
        }

        LaneWait waitingLane() {
            return new LaneWait(lane, shard, group);
        }
    }

    /** @param allowReordering whether the event may become a new row behind newer ones of its aggregate */
    Action replay(boolean allowReordering) {
        return (jdbc, letter) -> {
            if (unblock(jdbc, letter)) {
                return true;
            }
            // a blocked one whose message was deleted has lost its place
            if (!allowReordering && (letter.blocking() || letter.ofAggregate())) {
                return false;
            }
            jdbc.update(sql.deadLetters.replay, letter.id(), letter.handler());
            giveUp(jdbc, letter);
            return true;
        };
    }

    Action replace(Edited edited) {
        return (jdbc, letter) -> {
            if (insert(jdbc, sql.deadLetters.replayAsText, edited, edited.payload(), letter) == 0) {
                byte[] bytes = edited.payload().getBytes(StandardCharsets.UTF_8);
                insert(jdbc, sql.deadLetters.replayAsBytes, edited, bytes, letter);
            }
            giveUp(jdbc, letter);
            return true;
        };
    }

    private static int insert(Jdbc jdbc, String replayAs, Edited edited, Object payload, Letter letter)
            throws SQLException {
        return jdbc.update(replayAs, edited.id(), payload, edited.bytes(), letter.id(), letter.handler());
    }

    Action discard() {
        return (jdbc, letter) -> {
            giveUp(jdbc, letter);
            return true;
        };
    }

    private void giveUp(Jdbc jdbc, Letter letter) throws SQLException {
        if (letter.blocking()) {
            MessageRow.lock(jdbc, sql, letter.seq(), letter.id());
            jdbc.update(sql.deliveries.deleteDelivery, letter.id(), letter.handler(), letter.seq());
            MessageRow.splitOrDelete(jdbc, sql, letter.seq(), letter.id());
        }
    }

    private boolean unblock(Jdbc jdbc, Letter letter) throws SQLException {
        if (!letter.blocking()
                || MessageRow.lock(jdbc, sql, letter.seq(), letter.id()).isEmpty()) {
            return false;
        }
        int changed = jdbc.update(
                sql.deliveries.changeDelivery,
                letter.group(),
                StateCodes.code(DeliveryState.WAITING),
                0,
                0L,
                null,
                letter.id(),
                letter.handler(),
                letter.seq());
        if (changed == 0) {
            return false;
        }
        jdbc.update(sql.messages.splitMessage, letter.seq(), letter.id());
        return true;
    }
}
