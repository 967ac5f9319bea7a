package io.outboxed.internal.store;

import java.sql.SQLException;

/** The lane rows, written only while the shard row is locked. */
final class LaneRows {
    private final Sql sql;

    LaneRows(Sql sql) {
        this.sql = sql;
    }

    /** The lane row belongs to the first waiting message; a later one never makes it due at another time. */
    void retry(Jdbc jdbc, WaitingLane lane, long seq, long delayMicros) throws SQLException {
        if (isBehindAnother(jdbc, lane, seq) && exists(jdbc, lane)) {
            return;
        }
        if (jdbc.update(sql.delayLane, delayMicros, lane.lane(), lane.group()) == 0) {
            jdbc.update(sql.addLane, lane.lane(), lane.group(), lane.shard(), delayMicros);
        }
    }

    void block(Jdbc jdbc, WaitingLane lane, long seq) throws SQLException {
        if (isBehindAnother(jdbc, lane, seq) && exists(jdbc, lane)) {
            return;
        }
        if (jdbc.update(sql.blockLane, lane.lane(), lane.group()) == 0) {
            jdbc.update(sql.addBlockedLane, lane.lane(), lane.group(), lane.shard());
        }
    }

    /** What held the lane up is gone. */
    void resume(Jdbc jdbc, WaitingLane lane, long seq) throws SQLException {
        if (!isBehindAnother(jdbc, lane, seq)) {
            jdbc.update(sql.delayLane, 0L, lane.lane(), lane.group());
        }
    }

    void addIfAbsent(Jdbc jdbc, WaitingLane lane, long dueMicros) throws SQLException {
        if (!exists(jdbc, lane)) {
            jdbc.update(sql.addLaneAt, lane.lane(), lane.group(), lane.shard(), dueMicros);
        }
    }

    /** A blocked lane stays blocked. */
    void postpone(Jdbc jdbc, WaitingLane lane, long delayMicros) throws SQLException {
        jdbc.update(sql.postponeLane, delayMicros, lane.lane(), lane.group());
    }

    boolean clear(Jdbc jdbc, WaitingLane lane) throws SQLException {
        boolean waits = WaitingLane.WHOLE.equals(lane.group())
                ? jdbc.exists(sql.anyParked, lane.lane())
                : jdbc.exists(sql.anyDelivery, lane.lane(), lane.group());
        if (!waits) {
            jdbc.update(sql.deleteLane, lane.lane(), lane.group());
        }
        return !waits;
    }

    private boolean exists(Jdbc jdbc, WaitingLane lane) throws SQLException {
        return jdbc.exists(sql.laneRow, lane.lane(), lane.group());
    }

    private boolean isBehindAnother(Jdbc jdbc, WaitingLane lane, long seq) throws SQLException {
        return jdbc.exists(sql.earlierWaits, lane.lane(), lane.group(), seq);
    }
}
