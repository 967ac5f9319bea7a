package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.ReadWindow;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** What the relay reads to call handlers. */
public final class ReadSql extends StoreSql {
    private static final String HEAD =
            "m.seq, m.id, m.shard, m.lane, m.type, m.aggregate_type, m.status, m.version, m.registry_version, m.payload_size,"
                    + " m.starts, m.only_handler,"
                    + " CASE WHEN m.status = 0 AND m.delay_micros > 0 AND :created + m.delay_micros > :now"
                    + " THEN 1 ELSE 0 END AS delayed_now";
    private static final String SMALL = "CASE WHEN m.payload_size <= " + MessageHead.BODY_READ_ALONG + " THEN m.";
    private static final String SMALL_BODY = ", m.aggregate_id, m.delay_micros, :created AS created, m.headers, "
            + SMALL + "payload END AS payload, " + SMALL + "payload_binary END AS payload_binary";
    private static final String LANE_ROW = "SELECT lane, shard, handler_group FROM outbox_lane";

    public ReadSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    private final String inLane = orderInLane(dialect()) + " LIMIT ";

    /**
     * The order of the index by lane. PostgreSQL needs its first columns too, to choose it; with them, MySQL sorts all
     * rows of the group, although they are constants.
     */
    public static String orderInLane(Dialect dialect) {
        return dialect.isMySqlFamily() ? " ORDER BY d.seq" : " ORDER BY d.lane, d.handler_group, d.seq";
    }

    /** Not ordered by handler, because the index is not. */
    public final String waiting = of("SELECT d.handler, d.handler_group, d.attempts AS tries,"
            + " CASE WHEN d.state = 0 AND d.due_at <= :now THEN 1 ELSE 0 END AS due_now, " + HEAD
            + " FROM outbox_delivery d JOIN "
            + messageOf("d.seq", " AND m.id = d.message_id")
            + " WHERE d.lane = ? AND d.handler_group = ? AND d.state <> 1 AND EXISTS (SELECT 1 FROM outbox_lane l"
            + " WHERE l.lane = ? AND l.handler_group = ? AND l.resume_at <= :now)"
            + inLane + "?");

    public final String lastError =
            of("SELECT last_error FROM outbox_delivery WHERE message_id = ? AND handler = ? AND seq = ?");

    public final String unadopted = of("SELECT " + HEAD + " FROM outbox_delivery d JOIN "
            + messageOf("d.seq", " AND m.id = d.message_id")
            + " WHERE d.lane = ? AND d.handler_group = ? AND d.seq > ? AND d.state <> 1 AND d.state + 0 = 0"
            + inLane + "?");

    /**
     * Windows are passed as three arrays, or as three parameters each if the database can't join a list. On PostgreSQL
     * only the index by shard has this order: if the table was vacuumed while empty, it seems to have no rows, and its
     * primary key would seem as good. The sum keeps it from using the index by lane.
     */
    public String ready(Collection<ReadWindow> windows) {
        if (dialect() == Dialect.POSTGRESQL) {
            List<Long> lanes = windows.stream()
                    .flatMap(window -> window.without().stream())
                    .toList();
            return of("SELECT h.* FROM unnest(?, ?, ?) AS w (shard, above, most), LATERAL ("
                    + ready(
                            "(m.shard, m.seq) > (w.shard, w.above) AND m.shard <= w.shard" + without(lanes),
                            "m.shard, m.seq",
                            "w.most")
                    + ") h");
        }
        return of(windows.stream()
                .map(window -> "(" + ready("m.shard = ? AND m.seq > ?" + without(window.without()), "m.seq", "?") + ")")
                .collect(Collectors.joining(" UNION ALL ")));
    }

    /**
     * Each window is two parameters, and the limit is one. One range of the index for each shard: MySQL opens the table
     * once, and not for each part of a UNION.
     */
    public String sweep(Collection<ReadWindow> windows) {
        return of("SELECT " + HEAD + SMALL_BODY + " FROM outbox_message m" + byShard() + " WHERE "
                + windows.stream()
                        .map(window -> "(m.shard = ? AND m.status = 0 AND m.seq > ?" + without(window.without()) + ")")
                        .collect(Collectors.joining(" OR "))
                + " LIMIT ?");
    }

    /** Uses literals: there are only numbers, and their count varies. */
    private static String without(Collection<Long> lanes) {
        return lanes.isEmpty()
                ? ""
                : lanes.stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ", " AND m.lane + 0 NOT IN (", ")"));
    }

    private static String ready(String where, String order, String most) {
        return "SELECT " + HEAD + SMALL_BODY + " FROM outbox_message m WHERE " + where + " AND m.status = 0 ORDER BY "
                + order + " LIMIT " + most;
    }

    /** Lanes are passed as an array, or as one parameter each; so is the limit. */
    public String lanes(int lanes) {
        if (dialect() == Dialect.POSTGRESQL) {
            return of("SELECT h.* FROM unnest(?) AS w (lane), LATERAL (" + lane("w.lane") + ") h");
        }
        return of(String.join(" UNION ALL ", Collections.nCopies(lanes, "(" + lane("?") + ")")));
    }

    private static String lane(String lane) {
        return "SELECT " + HEAD + SMALL_BODY + " FROM outbox_message m WHERE m.lane = " + lane
                + " AND m.status IN (0, 2) ORDER BY m.lane, m.seq LIMIT ?";
    }

    public String due(int shards, int withoutGroups) {
        String without = withoutGroups == 0 ? "" : " AND handler_group NOT IN " + placeholders(withoutGroups);
        return of(LANE_ROW + " WHERE shard IN " + placeholders(shards) + " AND resume_at <= :now" + without
                + " ORDER BY resume_at LIMIT ?");
    }

    /** The sum keeps PostgreSQL from the other index, on which it would read every row that is due. */
    public String dueOf(int lanes) {
        return of(LANE_ROW + " WHERE lane IN " + placeholders(lanes) + " AND resume_at + 0 <= :now ORDER BY resume_at");
    }

    public String waits(int lanes) {
        return of("SELECT lane, handler_group FROM outbox_lane WHERE lane IN " + placeholders(lanes));
    }

    /** One row of the index for each shard: DISTINCT would read all of its lanes, also those that sleep or are blocked. */
    public String waitingShards(int shards) {
        return of("SELECT s.shard FROM outbox_shard s WHERE s.shard IN " + placeholders(shards)
                + " AND (SELECT 1 FROM outbox_lane l WHERE l.shard = s.shard ORDER BY l.resume_at LIMIT 1) = 1");
    }

    public String done(int messages) {
        return of("SELECT message_id, handler FROM outbox_delivery WHERE message_id IN " + placeholders(messages)
                + " AND state = 1");
    }

    public String bodies(int seqs) {
        return bodies(seqs, "m.payload, m.payload_binary");
    }

    public String bodiesWithoutPayload(int seqs) {
        return bodies(seqs, "NULL AS payload, NULL AS payload_binary");
    }

    private String bodies(int seqs, String payload) {
        return of(
                "SELECT m.seq, m.id, m.aggregate_type, m.aggregate_id, m.delay_micros, :created AS created, m.headers, "
                        + payload + " FROM outbox_message m WHERE m.seq IN " + placeholders(seqs));
    }

    public final String highest = of("SELECT COALESCE(MAX(seq), 0) AS highest FROM outbox_message");

    /**
     * READY and PARKED rows that follow these in their lanes. Lanes and numbers are passed as arrays, or as parameters.
     */
    public String following(int rows) {
        if (dialect() == Dialect.POSTGRESQL) {
            return of("SELECT h.* FROM unnest(?, ?) AS w (lane, above), LATERAL (" + following("w.lane", "w.above")
                    + ") h");
        }
        return of(String.join(" UNION ALL ", Collections.nCopies(rows, "(" + following("?", "?") + ")")));
    }

    private static String following(String lane, String above) {
        return "SELECT m.seq, m.id, m.lane FROM outbox_message m WHERE m.lane = " + lane + " AND m.seq > " + above
                + " AND m.status IN (0, 2) ORDER BY m.lane, m.seq LIMIT " + FencedWriter.BUMPED;
    }
}
