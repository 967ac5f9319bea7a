package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneWait;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;

/** The lane rows, written only while the shard row is locked. */
final class LaneRows {
    /** Of each refresh, because the shard is locked meanwhile. What is left stays due. */
    private static final int MAX_FORGOTTEN = 100;

    private final Sql sql;

    LaneRows(Sql sql) {
        this.sql = sql;
    }

    /**
     * Rewrites the row from the delivery rows of its group: due with the first delivery of the first message, never due
     * while only blocked ones are left of it. A lane that waits as a whole has no delivery rows: its row is deleted
     * with the last parked one. Deliveries whose message was deleted by hand are deleted: nothing would ever call them.
     * Blocked ones stay until their dead letter is replayed or discarded.
     *
     * @return whether it is gone
     */
    boolean refresh(Jdbc jdbc, LaneWait lane) throws SQLException {
        boolean whole = LaneWait.PARKED.equals(lane.group());
        if (whole && jdbc.exists(sql.anyParked, lane.lane())) {
            return false;
        }
        return write(jdbc, lane, whole ? First.NONE : firstWithMessage(jdbc, lane));
    }

    private First firstWithMessage(Jdbc jdbc, LaneWait lane) throws SQLException {
        First first = first(jdbc, lane);
        for (int i = 0; i < MAX_FORGOTTEN && forget(jdbc, lane, first); i++) {
            first = first(jdbc, lane);
        }
        return first;
    }

    private record Orphan(UUID messageId, String handler) {}

    /** @return whether any of these deliveries had no message */
    private boolean forget(Jdbc jdbc, LaneWait lane, First first) throws SQLException {
        if (first.due() == null) {
            return false;
        }
        List<Orphan> orphans = jdbc.list(
                sql.waitingForNothing,
                row -> new Orphan(jdbc.uuid(row, "message_id"), row.getString("handler")),
                lane.lane(),
                lane.group(),
                first.seq());
        for (Orphan orphan : orphans) {
            jdbc.update(sql.deletePending, orphan.messageId(), orphan.handler(), first.seq());
            jdbc.update(sql.deleteDone, orphan.messageId(), first.seq());
        }
        return !orphans.isEmpty();
    }

    /** A message behind another one changes nothing, so a postponed lane stays postponed. */
    void refresh(Jdbc jdbc, MessageRow message, long seq, Collection<String> groups) throws SQLException {
        for (String group : new TreeSet<>(groups)) {
            LaneWait lane = new LaneWait(message.lane(), message.shard(), group);
            First first = first(jdbc, lane);
            boolean isBehind = first.deliveries() > 0 && first.seq() < seq;
            if (!isBehind || !exists(jdbc, lane)) {
                write(jdbc, lane, first);
            }
        }
    }

    private boolean write(Jdbc jdbc, LaneWait lane, First first) throws SQLException {
        if (first.deliveries() == 0) {
            jdbc.update(sql.deleteLane, lane.lane(), lane.group());
        } else if (first.due() == null) {
            block(jdbc, lane);
        } else if (jdbc.update(sql.resumeLane, first.due(), lane.lane(), lane.group()) == 0 && !exists(jdbc, lane)) {
            jdbc.update(sql.addLane, lane.lane(), lane.group(), lane.shard(), first.due());
        }
        return first.deliveries() == 0;
    }

    private void block(Jdbc jdbc, LaneWait lane) throws SQLException {
        if (jdbc.update(sql.blockLane, lane.lane(), lane.group()) == 0 && !exists(jdbc, lane)) {
            jdbc.update(sql.addBlockedLane, lane.lane(), lane.group(), lane.shard());
        }
    }

    /** MySQL's driver counts only rows that have changed if the URL says useAffectedRows=true. */
    private boolean exists(Jdbc jdbc, LaneWait lane) throws SQLException {
        return jdbc.exists(sql.laneRow, lane.lane(), lane.group());
    }

    /** @param due null if all of them are blocked */
    private record First(int deliveries, long seq, Long due) {
        private static final First NONE = new First(0, 0, null);
    }

    private First first(Jdbc jdbc, LaneWait lane) throws SQLException {
        return jdbc.first(sql.firstWaiting, LaneRows::first, lane.lane(), lane.group(), lane.lane(), lane.group())
                .orElse(First.NONE);
    }

    private static First first(ResultSet row) throws SQLException {
        long due = row.getLong("due");
        Long dueOrNull = row.wasNull() ? null : due;
        return new First(row.getInt("deliveries"), row.getLong("seq"), dueOrNull);
    }

    void addIfAbsent(Jdbc jdbc, LaneWait lane, long dueMicros) throws SQLException {
        if (!exists(jdbc, lane)) {
            jdbc.update(sql.addLane, lane.lane(), lane.group(), lane.shard(), dueMicros);
        }
    }

    /** A blocked lane stays blocked. */
    void pause(Jdbc jdbc, LaneWait lane) throws SQLException {
        jdbc.update(sql.pauseLane, LaneWait.AFTER_RESUME, lane.lane(), lane.group());
    }

    /** A blocked lane stays blocked. */
    void postpone(Jdbc jdbc, LaneWait lane, long delayMicros) throws SQLException {
        jdbc.update(sql.postponeLane, delayMicros, lane.lane(), lane.group());
    }
}
