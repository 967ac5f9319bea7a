package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lanes in which a handler group waits. */
public final class LaneSql extends StoreSql {
    public LaneSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /**
     * For the first waiting message of each lane and group: how many deliveries it has, when the first of them is due,
     * and how many lane rows there are. Both are passed as arrays, or three times as two parameters.
     */
    public String firstWaiting(int lanes) {
        if (dialect() == Dialect.POSTGRESQL) {
            return of("SELECT w.place, f.*, " + countLanes("w.lane", "w.handler_group")
                    + " FROM unnest(?, ?) WITH ORDINALITY AS w (lane, handler_group, place), LATERAL ("
                    + firstWaiting("", "w.lane", "w.handler_group") + ") f");
        }
        return of(IntStream.rangeClosed(1, lanes)
                .mapToObj(i -> firstWaiting(i + " AS place, " + countLanes("?", "?") + ", ", "?", "?"))
                .collect(Collectors.joining(" UNION ALL ")));
    }

    private static String firstWaiting(String columns, String lane, String group) {
        String ofGroup = "lane = " + lane + " AND %1$s.handler_group = " + group + " AND %1$s.state <> 1";
        return "SELECT " + columns
                + "COUNT(*) AS deliveries, MIN(d.seq) AS seq, MIN(CASE WHEN d.state = 0 THEN d.due_at END) AS due"
                + " FROM outbox_delivery d WHERE d." + ofGroup.formatted("d") + " AND d.seq = (SELECT o.seq"
                + " FROM outbox_delivery o WHERE o." + ofGroup.formatted("o")
                + " ORDER BY o.lane, o.handler_group, o.seq LIMIT 1)";
    }

    private static String countLanes(String lane, String group) {
        return "(SELECT COUNT(*) FROM outbox_lane l WHERE l.lane = " + lane + " AND l.handler_group = " + group
                + ") AS lane_rows";
    }

    /** Of the message with this number, if its row was deleted by hand. */
    public final String waitingForNothing = of("SELECT d.message_id, d.handler FROM outbox_delivery d LEFT JOIN "
            + messageOf("d.seq", " AND m.id = d.message_id")
            + " WHERE d.lane = ? AND d.handler_group = ? AND d.state <> 1 AND d.state + 0 = 0 AND d.seq = ?"
            + " AND m.seq IS NULL");

    public final String addLane =
            of("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (?, ?, ?, ?)");
    public final String addBlockedLane =
            of("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (?, ?, ?, NULL)");
    public final String resumeLane = of("UPDATE outbox_lane SET resume_at = ? WHERE lane = ? AND handler_group = ?");
    public final String postponeLane = of("UPDATE outbox_lane SET resume_at = :now + ?"
            + " WHERE lane = ? AND handler_group = ? AND resume_at IS NOT NULL");
    public final String pauseLane =
            of("UPDATE outbox_lane SET resume_at = ? WHERE lane = ? AND handler_group = ? AND resume_at IS NOT NULL");
    public final String wakeLanes = of("UPDATE outbox_lane SET resume_at = :now WHERE shard = ? AND resume_at = ?");
    public final String blockLane = of("UPDATE outbox_lane SET resume_at = NULL WHERE lane = ? AND handler_group = ?");
    public final String deleteLane = of("DELETE FROM outbox_lane WHERE lane = ? AND handler_group = ?");
    public final String anyParked = of("SELECT seq FROM outbox_message WHERE lane = ? AND status = 2 LIMIT 1");
}
