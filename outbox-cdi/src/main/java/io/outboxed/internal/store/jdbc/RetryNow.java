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

    /** @return false if no such delivery waits, or if it is running in a transaction */
    public boolean retryNow(UUID messageId, String handler, ChangeRecorder recorder) {
        return makeDue(sql.deliveries.makeDue, messageId, handler, recorder);
    }

    /** @return false too if it is due already, so that two callers do not both count it */
    public boolean retryEarlier(UUID messageId, String handler, ChangeRecorder recorder) {
        return makeDue(sql.deliveries.makeDueEarlier, messageId, handler, recorder);
    }

    private boolean makeDue(String statement, UUID messageId, String handler, ChangeRecorder recorder) {
        try {
            return connections.transaction(jdbc -> {
                Optional<Waiting> found = jdbc.first(sql.deliveries.pendingOf, RetryNow::waiting, messageId, handler);
                return found.isPresent() && retry(jdbc, statement, found.get(), messageId, handler, recorder);
            });
        } catch (StoreException e) {
            if (MessageRow.isHeld(e)) {
                return false;
            }
            throw e;
        }
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
        return new Waiting(
                row.getLong("seq"),
                new LaneWait(row.getLong("lane"), row.getInt("shard"), row.getString("handler_group")));
    }
}
