package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The lane rows, written only while the shard row is locked. */
final class LaneRows {
    /** The limit of each refresh, because the shard row stays locked meanwhile. The rest stays due for the next one. */
    private static final int MAX_FORGOTTEN = 100;

    private static final int LANES_IN_A_STATEMENT = 50;
    private static final Comparator<LaneWait> ORDER =
            Comparator.comparingLong(LaneWait::lane).thenComparing(LaneWait::group);

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
        if (!lane.isParked()) {
            First first = firstWithMessage(jdbc, lane);
            write(jdbc, Map.of(lane, first));
            return first.deliveries() == 0;
        }
        if (jdbc.exists(sql.lanes.anyParked, lane.lane())) {
            return false;
        }
        jdbc.update(sql.lanes.deleteLane, lane.lane(), lane.group());
        return true;
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
                sql.lanes.waitingForNothing,
                row -> new Orphan(jdbc.uuid(row, "message_id"), row.getString("handler")),
                lane.lane(),
                lane.group(),
                first.seq());
        for (Orphan orphan : orphans) {
            jdbc.update(sql.deliveries.deleteWaiting, orphan.messageId(), orphan.handler(), first.seq());
            jdbc.update(sql.deliveries.deleteDone, orphan.messageId(), first.seq());
        }
        return !orphans.isEmpty();
    }

    /**
     * A message behind another one changes nothing, so a postponed lane stays postponed.
     *
     * @param changed lane rows of messages that have changed, and the numbers of these messages
     */
    void refreshUnlessBehind(Jdbc jdbc, Map<LaneWait, Long> changed) throws SQLException {
        Map<LaneWait, First> firsts = firsts(jdbc, List.copyOf(changed.keySet()));
        firsts.entrySet()
                .removeIf(each -> each.getValue().exists()
                        && each.getValue().deliveries() > 0
                        && each.getValue().seq() < changed.get(each.getKey()));
        write(jdbc, firsts);
    }

    void addIfAbsent(Jdbc jdbc, Map<LaneWait, Long> due) throws SQLException {
        Map<LaneWait, First> firsts = firsts(jdbc, List.copyOf(due.keySet()));
        List<Object[]> added = new ArrayList<>();
        due.forEach((lane, at) -> {
            if (!firsts.get(lane).exists()) {
                added.add(row(lane, at));
            }
        });
        jdbc.batch(sql.lanes.addLane, added);
    }

    /**
     * @param due null if all of them are blocked
     * @param exists whether the lane has a row: MySQL's driver counts only rows that have changed if the URL says
     *     useAffectedRows=true
     */
    private record First(int deliveries, long seq, Long due, boolean exists) {}

    private void write(Jdbc jdbc, Map<LaneWait, First> lanes) throws SQLException {
        List<Object[]> deleted = new ArrayList<>();
        List<Object[]> blocked = new ArrayList<>();
        List<Object[]> addedBlocked = new ArrayList<>();
        List<Object[]> resumed = new ArrayList<>();
        List<Object[]> added = new ArrayList<>();
        lanes.forEach((lane, first) -> {
            if (first.deliveries() == 0) {
                if (first.exists()) {
                    deleted.add(new Object[] {lane.lane(), lane.group()});
                }
            } else if (first.due() == null && first.exists()) {
                blocked.add(new Object[] {lane.lane(), lane.group()});
            } else if (first.due() == null) {
                addedBlocked.add(new Object[] {lane.lane(), lane.group(), lane.shard()});
            } else if (first.exists()) {
                resumed.add(new Object[] {first.due(), lane.lane(), lane.group()});
            } else {
                added.add(row(lane, first.due()));
            }
        });
        jdbc.batch(sql.lanes.deleteLane, deleted);
        jdbc.batch(sql.lanes.blockLane, blocked);
        jdbc.batch(sql.lanes.addBlockedLane, addedBlocked);
        jdbc.batch(sql.lanes.resumeLane, resumed);
        jdbc.batch(sql.lanes.addLane, added);
    }

    private static Object[] row(LaneWait lane, long due) {
        return new Object[] {lane.lane(), lane.group(), lane.shard(), due};
    }

    private First first(Jdbc jdbc, LaneWait lane) throws SQLException {
        return firsts(jdbc, List.of(lane)).get(lane);
    }

    /** In the order of the lanes. */
    private Map<LaneWait, First> firsts(Jdbc jdbc, List<LaneWait> lanes) throws SQLException {
        Map<LaneWait, First> firsts = new TreeMap<>(ORDER);
        for (List<LaneWait> part : Chunks.of(lanes, LANES_IN_A_STATEMENT)) {
            jdbc.list(
                    sql.lanes.firstWaiting(part.size()),
                    row -> firsts.put(part.get(row.getInt("place") - 1), first(row)),
                    parameters(jdbc, part));
        }
        return firsts;
    }

    private static Object[] parameters(Jdbc jdbc, List<LaneWait> lanes) throws SQLException {
        if (jdbc.dialect() != Dialect.POSTGRESQL) {
            return lanes.stream()
                    .flatMap(lane -> Collections.nCopies(3, List.<Object>of(lane.lane(), lane.group())).stream())
                    .flatMap(List::stream)
                    .toArray();
        }
        Connection connection = jdbc.connection();
        return new Object[] {
            connection.createArrayOf(
                    "bigint", lanes.stream().map(LaneWait::lane).toArray()),
            connection.createArrayOf("text", lanes.stream().map(LaneWait::group).toArray())
        };
    }

    private static First first(ResultSet row) throws SQLException {
        long due = row.getLong("due");
        Long dueOrNull = row.wasNull() ? null : due;
        return new First(row.getInt("deliveries"), row.getLong("seq"), dueOrNull, row.getInt("lane_rows") > 0);
    }

    /** A blocked lane stays blocked. */
    void pause(Jdbc jdbc, LaneWait lane) throws SQLException {
        jdbc.update(sql.lanes.pauseLane, LaneWait.AFTER_RESUME, lane.lane(), lane.group());
    }

    /** A blocked lane stays blocked. */
    void postpone(Jdbc jdbc, LaneWait lane, long delayMicros) throws SQLException {
        jdbc.update(sql.lanes.postponeLane, delayMicros, lane.lane(), lane.group());
    }
}
