package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Makes a waiting delivery due now. Safe while relays run: it locks the shard row and then the message, as every
 * decision.
 */
public final class RetryNow {
    private final Connections connections;
    private final Sql sql;
    private final LaneRows lanes;

    public RetryNow(Connections connections, Dialect dialect, String prefix) {
        this.connections = connections;
        this.sql = new Sql(dialect, prefix);
        this.lanes = new LaneRows(sql);
    }

    private record Waiting(long seq, LaneWait lane) {}

    /** @return false if no such delivery waits */
    public boolean retryNow(UUID messageId, String handler, ChangeRecorder recorder) {
        return makeDue(sql.deliveries.makeDue, messageId, handler, recorder, () -> true);
    }

    /**
     * One of many.
     *
     * @param mayWait asked if another transaction has locked the message
     * @param locked called if it is left for that reason
     * @return false too if it is due already, so that two callers do not both count it
     */
    public boolean retryEarlier(
            UUID messageId, String handler, ChangeRecorder recorder, BooleanSupplier mayWait, Runnable locked) {
        try {
            return makeDue(sql.deliveries.makeDueEarlier, messageId, handler, recorder, mayWait);
        } catch (StoreException e) {
            if (!MessageRow.isLocked(e)) {
                throw e.about("the delivery of message " + messageId + " to handler " + handler);
            }
            locked.run();
            return false;
        }
    }

    /** Who has locked the message is not known: the delivery itself, or that to another handler of the event. */
    private boolean makeDue(
            String statement, UUID messageId, String handler, ChangeRecorder recorder, BooleanSupplier mayWait) {
        try {
            return makeDueAtOnce(statement, messageId, handler, recorder);
        } catch (StoreException e) {
            if (!MessageRow.isLocked(e) || !mayWait.getAsBoolean()) {
                throw e;
            }
            MessageRow.await(connections, sql, sql.deliveries.waitingOf, messageId, handler);
            return makeDueAtOnce(statement, messageId, handler, recorder);
        }
    }

    private boolean makeDueAtOnce(String statement, UUID messageId, String handler, ChangeRecorder recorder) {
        return connections.transaction(jdbc -> {
            Optional<Waiting> found = jdbc.first(sql.deliveries.waitingOf, RetryNow::waiting, messageId, handler);
            return found.isPresent() && retry(jdbc, statement, found.get(), messageId, handler, recorder);
        });
    }

    private boolean retry(
            Jdbc jdbc, String statement, Waiting waiting, UUID messageId, String handler, ChangeRecorder recorder)
            throws SQLException {
        jdbc.exists(sql.nodes.lockShard, waiting.lane().shard());
        if (MessageRow.lock(jdbc, sql, waiting.seq(), messageId).isEmpty()
                || jdbc.update(statement, messageId, handler, waiting.seq()) == 0) {
            return false;
        }
        lanes.refresh(jdbc, waiting.lane());
        recorder.record(jdbc, messageId, handler);
        return true;
    }

    private static Waiting waiting(ResultSet row) throws SQLException {
        return new Waiting(row.getLong("seq"), JdbcMessageReads.laneWait(row));
    }
}
