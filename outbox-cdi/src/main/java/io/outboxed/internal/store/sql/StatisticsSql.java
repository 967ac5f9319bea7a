package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.LaneHash;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Counts and ages; joined with outbox_shard, so that an index leads to each shard's rows. */
public final class StatisticsSql extends StoreSql {
    public StatisticsSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** Shards have about the same number of aggregates. */
    private static final int LANES_EXAMINED_OF_A_SHARD = 160;

    private static final int MAX_LANES_COUNTED = 100_000;

    /** A bulk discard has a row for each dead letter, besides its own, which counts them. Nodes are no operators. */
    public final String operatorChanges = of("SELECT t.action, SUM(t.changes) AS found FROM (SELECT action, changes"
            + " FROM outbox_audit WHERE changed_at > :now - 3600000000 AND changed_via <> 'node'"
            + " AND (action <> 'discard' OR message_id IS NOT NULL)"
            + " ORDER BY changed_at DESC LIMIT 100000) t GROUP BY t.action");

    /** With statistics that know only one shard, MySQL would read every message, also for none of this status. */
    private String messagesByShard() {
        return "outbox_shard s " + (dialect().isMySqlFamily() ? "STRAIGHT_JOIN" : "JOIN") + " outbox_message m"
                + byShard() + " ON m.shard = s.shard AND m.status = ";
    }

    public final String countReady = count(messagesByShard() + "0");
    /**
     * PostgreSQL's index by shard contains only status 0, and if its statistics know few rows of status 2, it would
     * read every message for them: OFFSET keeps the lanes first. The lane of a cancelled event has no message until its
     * time has come, so the lanes that are read are limited too.
     */
    public final String countParked = count(
            dialect() == Dialect.POSTGRESQL
                    ? "(SELECT lane FROM outbox_lane WHERE handler_group = '*' LIMIT " + MAX_LANES_COUNTED + ") l"
                            + " CROSS JOIN LATERAL (SELECT 1 FROM outbox_message o"
                            + " WHERE o.lane = l.lane AND o.status = 2 OFFSET 0) m"
                    : messagesByShard() + "2");

    private final String waitingDeliveries =
            "outbox_lane l JOIN outbox_delivery d ON d.lane = l.lane AND d.handler_group = l.handler_group AND d.state <> 1";
    public final String countWaiting = count(waitingDeliveries + " WHERE l.resume_at IS NOT NULL");
    public final String countBlocked = count(waitingDeliveries + " WHERE l.resume_at IS NULL");
    public final String countDead = count("outbox_dead m");
    /** The parameter is how many rows are read: an aggregate has one for each handler group. */
    public final String countBlockedAggregates =
            of("SELECT COUNT(DISTINCT t.lane) AS found FROM (SELECT l.lane FROM outbox_shard s"
                    + " JOIN outbox_lane l ON l.shard = s.shard AND l.resume_at IS NULL LIMIT ?) t");
    /**
     * The first due row of each shard, by number, which is nearly the order of time. Ordered by the whole index: with
     * the number alone, MySQL scans the primary key past every row of other shards, and without the hint it does if its
     * statistics know only one shard.
     */
    public final String oldestReady =
            of("SELECT MAX(t.age) AS found FROM (SELECT (SELECT :now - :created - m.delay_micros"
                    + " FROM outbox_message m" + byShard() + " WHERE m.shard = s.shard AND m.status = 0"
                    + " AND :created + m.delay_micros <= :now"
                    + " ORDER BY m.shard, m.status, m.seq LIMIT 1) AS age FROM outbox_shard s) t");
    /** The waits of each shard that end first, without an operator; not all databases can join with such a query. */
    private String firstWaits() {
        return IntStream.range(0, LaneHash.SHARDS)
                .mapToObj(shard -> "(SELECT lane, handler_group FROM outbox_lane"
                        + (dialect().isMySqlFamily() ? " FORCE INDEX (outbox_lane_resume)" : "") + " WHERE shard = "
                        + shard + " AND resume_at IS NOT NULL ORDER BY resume_at LIMIT "
                        + LANES_EXAMINED_OF_A_SHARD + ")")
                .collect(Collectors.joining(" UNION ALL ", "(", ")"));
    }

    /** The first delivery of each of them. */
    public final String oldestWaiting =
            of("SELECT MAX(:now - :created - m.delay_micros) AS found FROM (SELECT COALESCE("
                    + "(SELECT d.seq FROM outbox_delivery d"
                    + (dialect().isMySqlFamily() ? " FORCE INDEX (outbox_delivery_lane)" : "")
                    + " WHERE d.lane = l.lane AND d.handler_group = l.handler_group AND d.state <> 1"
                    + " ORDER BY d.lane, d.handler_group, d.seq LIMIT 1),"
                    + " (SELECT p.seq FROM outbox_message p WHERE p.lane = l.lane AND p.status = 2 AND l.handler_group = '*'"
                    + " ORDER BY p.lane, p.seq LIMIT 1)) AS seq"
                    + " FROM " + firstWaits() + " l) t JOIN " + messageOf("t.seq", ""));
}
