package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.cluster.LaneClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Every statement of the relay, of capture and of dead letters. Names carry the default prefix; {@code :now} is the
 * database's clock, {@code :created} the column created_at of alias m, both in microseconds UTC.
 */
public final class Sql extends SqlText {
    private static final String HEAD =
            "m.seq, m.id, m.shard, m.lane, m.type, m.aggregate_type, m.status, m.version, m.registry_version, m.payload_size,"
                    + " m.starts, m.only_handler,"
                    + " CASE WHEN m.status = 0 AND m.delay_micros > 0 AND :created + m.delay_micros > :now"
                    + " THEN 1 ELSE 0 END AS delayed_now";
    private static final String SMALL = "CASE WHEN m.payload_size <= " + MessageHead.BODY_READ_ALONG + " THEN m.";
    private static final String SMALL_BODY = ", m.aggregate_id, m.delay_micros, :created AS created, m.headers, "
            + SMALL + "payload END AS payload, " + SMALL + "payload_binary END AS payload_binary";
    private static final String CONTENT =
            "aggregate_type, aggregate_id, type, payload, payload_binary, payload_size, headers, registry_version, created_at";
    private static final String CONTENT_OF_M = contentOfM("m.payload, m.payload_binary, m.payload_size");
    private static final String LANE_ROW = "SELECT lane, shard, handler_group FROM outbox_lane";

    private static final String HISTORY = "INSERT INTO outbox_history (id, seq, shard, lane, delay_micros, " + CONTENT
            + ", processed_at) SELECT m.id, m.seq, m.shard, m.lane, m.delay_micros, " + CONTENT_OF_M + ", :now FROM ";

    public Sql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /** @param payload the text, the bytes and the size */
    private static String contentOfM(String payload) {
        return "m.aggregate_type, m.aggregate_id, m.type, " + payload + ", m.headers, m.registry_version, m.created_at";
    }

    // ---- nodes and shards ----

    public final String join = of("INSERT INTO outbox_node (owner, label, registry_version, beat, beat_at, state)"
            + " VALUES (?, ?, ?, 0, :now, 0)");
    final String beat = of("UPDATE outbox_node SET beat = beat + 1, beat_at = :now WHERE owner = ? AND state = 0");
    final String nodes = of(
            "SELECT owner, label, registry_version, beat FROM outbox_node WHERE state = 0 ORDER BY registry_version, owner");
    final String declareDead = of("UPDATE outbox_node SET state = 2 WHERE owner = ? AND beat = ? AND state = 0");
    final String leave = of("UPDATE outbox_node SET state = 1 WHERE owner = ? AND state = 0");
    final String endedNodes = of("SELECT owner FROM outbox_node WHERE state <> 0 AND beat_at < :now - 86400000000");
    final String forgetNode = of("DELETE FROM outbox_node WHERE owner = ? AND state <> 0");

    public final String shards = of("SELECT shard, owner, epoch FROM outbox_shard ORDER BY shard");
    final String lockShard = of("SELECT owner, epoch FROM outbox_shard WHERE shard = ? FOR UPDATE");
    final String lockShardIfFree = of("SELECT owner, epoch FROM outbox_shard WHERE shard = ? FOR UPDATE SKIP LOCKED");

    public String someShards(List<Integer> shards) {
        return of(someShards(shards, ""));
    }

    /** Finds none in another session. */
    public String someShards(List<Integer> shards, long session) {
        return of(someShards(shards, inSession(session)));
    }

    String lockFreeShards(List<Integer> shards) {
        return someShards(shards) + skipping("FOR UPDATE");
    }

    /** Excludes operators, who lock the row, but not the other nodes. */
    public String shareFreeShards(List<Integer> shards) {
        return someShards(shards) + skipping(forShare());
    }

    public String shareFreeShards(List<Integer> shards, long session) {
        return someShards(shards, session) + skipping(forShare());
    }

    /** Not an IN list, for which MySQL may scan, and lock the rows of other nodes in passing. */
    private String someShards(List<Integer> shards, String condition) {
        Stream<String> numbers = shards.stream().map(String::valueOf);
        String columns = "SELECT s.shard, s.owner, s.epoch FROM ";
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                columns
                        + numbers.map(number -> "SELECT " + number + " AS shard")
                                .collect(Collectors.joining(" UNION ALL ", "(", ") k"))
                        + " STRAIGHT_JOIN outbox_shard s FORCE INDEX (PRIMARY) ON s.shard = k.shard WHERE s.shard = k.shard"
                        + condition;
            case POSTGRESQL, H2 ->
                columns + "outbox_shard s WHERE s.shard IN " + numbers.collect(Collectors.joining(", ", "(", ")"))
                        + condition;
        };
    }

    private String skipping(String lock) {
        return " " + lock + (dialect() == Dialect.MYSQL ? " OF s" : "") + " SKIP LOCKED";
    }

    private String forShare() {
        return dialect() == Dialect.MARIADB ? "LOCK IN SHARE MODE" : "FOR SHARE";
    }

    private String inSession(long session) {
        return " AND " + sessionId() + " = " + session;
    }

    private String sessionId() {
        return dialect() == Dialect.POSTGRESQL ? "pg_backend_pid()" : "CONNECTION_ID()";
    }

    final String takeShard = of("UPDATE outbox_shard SET owner = ?, epoch = epoch + 1 WHERE shard = ?");
    final String passShard =
            of("UPDATE outbox_shard SET owner = ?, epoch = epoch + 1 WHERE shard = ? AND owner = ? AND epoch = ?");

    // ---- locks of lanes ----

    /** Nodes with locks, and dead ones of either kind. */
    public final String peers = of("SELECT owner, state FROM outbox_node WHERE owner <> ? AND (state = 2 OR state = 0"
            + " AND owner LIKE '" + LaneClaim.ADVISORY_LOCK.nodePrefix() + "%')");
    /** What is the same for all sessions that use these tables, and for no others in which locks have an effect. */
    public final String lockNamespace = switch (dialect()) {
        case POSTGRESQL -> of("SELECT CAST(CAST(CAST('outbox_message' AS regclass) AS oid) AS text) AS tables");
        case MYSQL, MARIADB, H2 ->
            "SELECT LOWER(" + (schema() == null ? "DATABASE()" : "'" + schema() + "'") + ") AS tables";
    };

    public final String lockSession = "SELECT " + sessionId() + " AS id";

    /** PostgreSQL: what this session has locked. */
    public final String locksHere =
            "SELECT (CAST(classid AS bigint) << 32) | CAST(objid AS bigint) AS name FROM pg_locks"
                    + " WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = pg_backend_pid()";

    public final String galera = "SHOW VARIABLES LIKE 'wsrep_on'";

    /** One column for each lock, 1 if this session has it now. PostgreSQL counts keys, the others names. */
    public String tryLocks(int locks) {
        return locks(
                locks,
                dialect() == Dialect.POSTGRESQL
                        ? "CASE WHEN pg_try_advisory_lock(?) THEN 1 ELSE 0 END"
                        : "GET_LOCK(?, 0)");
    }

    public String unlocks(int locks) {
        return locks(
                locks,
                dialect() == Dialect.POSTGRESQL
                        ? "CASE WHEN pg_advisory_unlock(?) THEN 1 ELSE 0 END"
                        : "RELEASE_LOCK(?)");
    }

    /** 1 if no session has the lock. On PostgreSQL each takes two parameters, because only trying tells. */
    public String free(int locks) {
        return locks(
                locks,
                dialect() == Dialect.POSTGRESQL
                        ? "CASE WHEN pg_try_advisory_lock_shared(?) THEN CASE WHEN pg_advisory_unlock_shared(?) THEN 1 ELSE 1 END"
                                + " ELSE 0 END"
                        : "IS_FREE_LOCK(?)");
    }

    private static String locks(int locks, String function) {
        return IntStream.rangeClosed(1, locks)
                .mapToObj(i -> function + " AS l" + i)
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    /** The server ends a session that was not used for this long. */
    public String idleLimit(long seconds) {
        return dialect() == Dialect.POSTGRESQL
                ? "SET idle_session_timeout = '" + seconds + "s'"
                : "SET SESSION wait_timeout = " + seconds;
    }

    /** Gives a session back to its pool. */
    public final List<String> endLocks = dialect() == Dialect.POSTGRESQL
            ? List.of("SELECT pg_advisory_unlock_all()", "RESET idle_session_timeout")
            : List.of("DO RELEASE_ALL_LOCKS()", "SET SESSION wait_timeout = DEFAULT");

    // ---- claims of lanes by rows ----

    private static final String ABANDONED_CLAIMS = "SELECT c.lane, c.owner FROM outbox_claim c"
            + " WHERE NOT EXISTS (SELECT 1 FROM outbox_node n WHERE n.owner = c.owner AND n.state = 0)";

    public final String deadNodes = of("SELECT owner FROM outbox_node WHERE owner <> ? AND state = 2");
    public final String firstNode = of("SELECT MIN(owner) AS owner FROM outbox_node WHERE state = 0 AND owner LIKE '"
            + LaneClaim.ROW_LOCK.nodePrefix() + "%'");

    /** Claims of nodes that are not alive. A node that is declared dead meanwhile is noticed the next time. */
    public String abandonedClaims(int lanes) {
        return of(ABANDONED_CLAIMS + " AND c.lane IN " + placeholders(lanes));
    }

    public String someAbandonedClaims(int most) {
        return of(ABANDONED_CLAIMS + " LIMIT " + most);
    }

    /** Lane and owner are two parameters for each row. Rows that exist are left alone. */
    public String addClaims(int lanes) {
        String values = String.join(", ", Collections.nCopies(lanes, "(?, ?)"));
        return of(
                dialect() == Dialect.POSTGRESQL
                        ? "INSERT INTO outbox_claim (lane, owner) VALUES " + values + " ON CONFLICT DO NOTHING"
                        : "INSERT IGNORE INTO outbox_claim (lane, owner) VALUES " + values);
    }

    public String claims(int lanes) {
        return of("SELECT c.lane FROM " + theseClaims(lanes));
    }

    /** For a list, MySQL would scan a small table, and wait for the locked rows of other nodes. */
    private String theseClaims(int lanes) {
        return "outbox_claim c" + (dialect().isMySqlFamily() ? " FORCE INDEX (PRIMARY)" : "")
                + " WHERE c.owner = ? AND c.lane IN " + placeholders(lanes);
    }

    /** Excludes a node that takes them over. */
    public String shareClaims(int lanes) {
        return claims(lanes) + " " + forShare();
    }

    public final String deleteClaim = of("DELETE FROM outbox_claim WHERE lane = ? AND owner = ?");

    public String lockFreeClaims(int lanes) {
        return claims(lanes) + " FOR UPDATE SKIP LOCKED";
    }

    public String deleteClaims(int lanes) {
        return of((dialect().isMySqlFamily() ? "DELETE c FROM " : "DELETE FROM ") + theseClaims(lanes));
    }

    // ---- locks of aggregates ----

    public final String lockSlot = of("SELECT slot FROM outbox_lock WHERE slot = ? FOR UPDATE");

    // ---- handlers ----

    final String lockRegistry = of("SELECT setting FROM outbox_meta WHERE name = 'registry' FOR UPDATE");
    final String raiseRegistry = of("UPDATE outbox_meta SET setting = ? WHERE name = 'registry'");
    final String handlers = of("SELECT type, handler, handler_group, registry_version, retired FROM outbox_handler");
    final String addHandler = of(
            "INSERT INTO outbox_handler (type, handler, handler_group, registry_version, retired) VALUES (?, ?, ?, ?, 0)");
    final String changeHandler = of(
            "UPDATE outbox_handler SET handler_group = ?, registry_version = ?, retired = 0 WHERE type = ? AND handler = ?");
    final String registry = of("SELECT r.setting, h.type, h.handler, h.handler_group FROM outbox_meta r"
            + " LEFT JOIN outbox_handler h ON h.retired = 0 WHERE r.name = 'registry'");

    // ---- reading ----

    private final String inLane = orderInLane(dialect()) + " LIMIT ";

    /**
     * The order of the index by lane. PostgreSQL needs its first columns too, to choose it; with them, MySQL sorts all
     * rows of the group, although they are constants.
     */
    public static String orderInLane(Dialect dialect) {
        return dialect.isMySqlFamily() ? " ORDER BY d.seq" : " ORDER BY d.lane, d.handler_group, d.seq";
    }

    /** Not ordered by handler, because the index is not. */
    final String waiting = of("SELECT d.handler, d.handler_group, d.attempts AS tries,"
            + " CASE WHEN d.state = 0 AND d.due_at <= :now THEN 1 ELSE 0 END AS due_now, " + HEAD
            + ", CASE WHEN EXISTS (SELECT 1 FROM outbox_delivery o WHERE o.message_id = d.message_id AND o.seq = d.seq"
            + " AND o.handler <> d.handler AND o.state + 0 <> 1) THEN 0 ELSE 1 END AS last_one FROM outbox_delivery d JOIN "
            + messageOf("d.seq", " AND m.id = d.message_id")
            + " WHERE d.lane = ? AND d.handler_group = ? AND d.state <> 1 AND EXISTS (SELECT 1 FROM outbox_lane l"
            + " WHERE l.lane = ? AND l.handler_group = ? AND l.resume_at <= :now)"
            + inLane + "?");

    final String lastError =
            of("SELECT last_error FROM outbox_delivery WHERE message_id = ? AND handler = ? AND seq = ?");

    final String unadopted = of("SELECT " + HEAD + " FROM outbox_delivery d JOIN "
            + messageOf("d.seq", " AND m.id = d.message_id")
            + " WHERE d.lane = ? AND d.handler_group = ? AND d.seq > ? AND d.state <> 1 AND d.state + 0 = 0"
            + inLane + "?");

    /** Used in joins: PostgreSQL is made to look up each row, because otherwise it might scan the table for each. */
    private String messageOf(String seq, String andId) {
        return dialect() == Dialect.POSTGRESQL
                ? "LATERAL (SELECT m.* FROM outbox_message m WHERE m.seq = " + seq + andId + " LIMIT 1) m ON TRUE"
                : "outbox_message m ON m.seq = " + seq + andId;
    }

    /**
     * Windows are passed as three arrays, or as three parameters each if the database can't join a list. On PostgreSQL
     * only the index by shard has this order: if the table was vacuumed while empty, it seems to have no rows, and its
     * primary key would seem as good. The sum keeps it from using the index by lane.
     */
    String ready(Collection<ReadWindow> windows) {
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

    private String byShard() {
        return dialect().isMySqlFamily() ? " FORCE INDEX (outbox_message_ready)" : "";
    }

    /**
     * Each window is two parameters, and the limit is one. One range of the index for each shard: MySQL opens the table
     * once, and not for each part of a UNION.
     */
    String sweep(Collection<ReadWindow> windows) {
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
    String lanes(int lanes) {
        if (dialect() == Dialect.POSTGRESQL) {
            return of("SELECT h.* FROM unnest(?) AS w (lane), LATERAL (" + lane("w.lane") + ") h");
        }
        return of(String.join(" UNION ALL ", Collections.nCopies(lanes, "(" + lane("?") + ")")));
    }

    private static String lane(String lane) {
        return "SELECT " + HEAD + SMALL_BODY + " FROM outbox_message m WHERE m.lane = " + lane
                + " AND m.status IN (0, 2) ORDER BY m.lane, m.seq LIMIT ?";
    }

    String due(int shards) {
        return of(LANE_ROW + " WHERE shard IN " + placeholders(shards)
                + " AND resume_at <= :now ORDER BY resume_at LIMIT ?");
    }

    /** The sum keeps PostgreSQL from the other index, on which it would read every row that is due. */
    String dueOf(int lanes) {
        return of(LANE_ROW + " WHERE lane IN " + placeholders(lanes) + " AND resume_at + 0 <= :now ORDER BY resume_at");
    }

    String waits(int lanes) {
        return of("SELECT lane, handler_group FROM outbox_lane WHERE lane IN " + placeholders(lanes));
    }

    String waitingShards(int shards) {
        return of("SELECT DISTINCT shard FROM outbox_lane WHERE shard IN " + placeholders(shards));
    }

    String done(int messages) {
        return of("SELECT message_id, handler FROM outbox_delivery WHERE message_id IN " + placeholders(messages)
                + " AND state = 1");
    }

    String bodies(int seqs) {
        return of(
                "SELECT m.seq, m.id, m.aggregate_type, m.aggregate_id, m.delay_micros, :created AS created, m.headers,"
                        + " m.payload, m.payload_binary FROM outbox_message m WHERE m.seq IN " + placeholders(seqs));
    }

    final String highest = of("SELECT COALESCE(MAX(seq), 0) AS highest FROM outbox_message");

    /**
     * READY and PARKED rows that follow these in their lanes. Lanes and numbers are passed as arrays, or as parameters.
     */
    String following(int rows) {
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

    // ---- statistics: joined with outbox_shard, so that an index leads to each shard's rows ----

    private static final int MAX_LANES_EXAMINED = 10_000;

    public final String clock = of("SELECT :now AS found");

    /** A bulk discard has a row for each dead letter, besides its own, which counts them. */
    public final String operatorChanges = of("SELECT t.action, SUM(t.changes) AS found FROM (SELECT action, changes"
            + " FROM outbox_audit WHERE changed_at > :now - 3600000000 AND (action <> 'discard' OR message_id IS NOT NULL)"
            + " ORDER BY changed_at DESC LIMIT 100000) t GROUP BY t.action");

    /** With statistics that know only one shard, MySQL would read every message, also for none of this status. */
    private String messagesByShard() {
        return "outbox_shard s " + (dialect().isMySqlFamily() ? "STRAIGHT_JOIN" : "JOIN") + " outbox_message m"
                + byShard() + " ON m.shard = s.shard AND m.status = ";
    }

    final String countReady = count(messagesByShard() + "0");
    /**
     * PostgreSQL's index by shard contains only status 0, and if its statistics know few rows of status 2, it would
     * read every message for them: OFFSET keeps the lanes first.
     */
    final String countParked = count(
            dialect() == Dialect.POSTGRESQL
                    ? "outbox_lane l CROSS JOIN LATERAL (SELECT 1 FROM outbox_message o"
                            + " WHERE o.lane = l.lane AND o.status = 2 OFFSET 0) m WHERE l.handler_group = '*'"
                    : messagesByShard() + "2");

    private final String waitingDeliveries =
            "outbox_lane l JOIN outbox_delivery d ON d.lane = l.lane AND d.handler_group = l.handler_group AND d.state <> 1";
    final String countWaiting = count(waitingDeliveries + " WHERE l.resume_at IS NOT NULL");
    final String countBlocked = count(waitingDeliveries + " WHERE l.resume_at IS NULL");
    final String countDead = count("outbox_dead m");
    /** The parameter is how many rows are read: an aggregate has one for each handler group. */
    final String countBlockedAggregates =
            of("SELECT COUNT(DISTINCT t.lane) AS found FROM (SELECT l.lane FROM outbox_shard s"
                    + " JOIN outbox_lane l ON l.shard = s.shard AND l.resume_at IS NULL LIMIT ?) t");
    /**
     * The first due row of each shard, by number, which is nearly the order of time. Ordered by the whole index: with
     * the number alone, MySQL scans the primary key past every row of other shards, and without the hint it does if its
     * statistics know only one shard.
     */
    final String oldestReady = of("SELECT MAX(t.age) AS found FROM (SELECT (SELECT :now - :created - m.delay_micros"
            + " FROM outbox_message m" + byShard() + " WHERE m.shard = s.shard AND m.status = 0"
            + " AND :created + m.delay_micros <= :now"
            + " ORDER BY m.shard, m.status, m.seq LIMIT 1) AS age FROM outbox_shard s) t");
    /** The first delivery of each wait that ends without an operator. */
    final String oldestWaiting = of("SELECT MAX(:now - :created - m.delay_micros) AS found FROM (SELECT COALESCE("
            + "(SELECT d.seq FROM outbox_delivery d"
            + (dialect().isMySqlFamily() ? " FORCE INDEX (outbox_delivery_lane)" : "")
            + " WHERE d.lane = l.lane AND d.handler_group = l.handler_group AND d.state <> 1"
            + " ORDER BY d.lane, d.handler_group, d.seq LIMIT 1),"
            + " (SELECT p.seq FROM outbox_message p WHERE p.lane = l.lane AND p.status = 2 AND l.handler_group = '*'"
            + " ORDER BY p.lane, p.seq LIMIT 1)) AS seq"
            + " FROM (SELECT lane, handler_group FROM outbox_lane WHERE resume_at IS NOT NULL ORDER BY resume_at LIMIT "
            + MAX_LANES_EXAMINED + ") l) t JOIN " + messageOf("t.seq", ""));

    /** The last parameter is where counting stops. */
    private String count(String rows) {
        return of("SELECT COUNT(*) AS found FROM (SELECT 1 AS one FROM " + rows + " LIMIT ?) t");
    }

    // ---- one message row, by primary key ----

    final String claimMessage =
            of("UPDATE outbox_message SET version = version + 1 WHERE seq = ? AND id = ? AND version = ?");
    final String deleteClaimed = of("DELETE FROM outbox_message WHERE seq = ? AND id = ? AND version = ?");
    private final String message = "SELECT m.status FROM outbox_message m WHERE m.seq = ? AND m.id = ?";
    public final String lockMessage = dialect().asOfNow() + of(message + " FOR UPDATE");
    final String lockFreeMessage = of(message + " FOR UPDATE SKIP LOCKED");
    final String deleteMessage = of("DELETE FROM outbox_message WHERE seq = ? AND id = ?");
    final String splitMessage =
            of("UPDATE outbox_message SET status = 3, starts = 0, version = version + 1 WHERE seq = ? AND id = ?");
    /** The version stays: the message may be running again when this is written. */
    final String changeStarts = of("UPDATE outbox_message SET starts = ? WHERE seq = ? AND id = ? AND starts = ?");

    final String keepMessage = of(HISTORY + "outbox_message m WHERE m.seq = ? AND m.id = ?"
            + dialect().ignoreDuplicate("seq"));

    // ---- messages in the caller's transaction ----

    public final String stored = of("SELECT 1 AS one FROM outbox_message WHERE id = ?"
            + " UNION ALL SELECT 1 AS one FROM outbox_dead WHERE message_id = ?");
    /** The delay of a replay is 0. */
    private final String notStarted =
            " AND m.status <> 3 AND m.delay_micros > 0 AND :created + m.delay_micros > " + statementNow();

    public final String cancellable = of("SELECT m.seq FROM outbox_message m WHERE m.id = ?" + notStarted);
    public final String cancel = dialect().asOfNow()
            + of((dialect().isMySqlFamily() ? "DELETE m FROM " : "DELETE FROM ")
                    + "outbox_message m WHERE m.seq = ? AND m.id = ?" + notStarted);

    /** H2's CURRENT_TIMESTAMP is that of the start of the transaction. */
    private String statementNow() {
        return dialect() == Dialect.H2
                ? "(SELECT CAST(EXTRACT(EPOCH FROM s.executing_statement_start) * 1000000 AS BIGINT)"
                        + " FROM information_schema.sessions s WHERE s.session_id = SESSION_ID())"
                : ":now";
    }

    // ---- many message rows: Keys replaces :keys. Never an IN list, which MySQL turns into a scan that waits for
    // inserts of others; nor JSON_TABLE, which MySQL 8.0.12 allows only to users with privileges on everything ----

    final String lockFreeRows = of(lockFree());
    final String hasRows = of("SELECT m.seq FROM " + joinRows());
    final String deleteRows = of(deleteRows());
    /** Not available as one statement on every database. */
    public final Optional<String> deleteUntouchedRows = deleteUntouchedRows().map(this::of);

    final String touchRows = of(updateRows("version = m.version + 1"));
    final String answeredRows = of(updateRows("version = m.version + 1, starts = 0"));
    final String splitRows = of(updateRows("version = m.version + 1, status = 3, starts = 0"));
    final String parkRows = of(updateRows("version = m.version + 1, status = 2"));
    final String startRows = of(updateRows("version = m.version + 1, starts = m.starts + 1"));
    final String keepRows = of(HISTORY + joinRows() + dialect().ignoreDuplicate("seq"));

    private String lockFree() {
        String rows = "SELECT m.seq, m.id, m.status, m.version, :created + m.delay_micros AS due_at,"
                + " CASE WHEN :created + m.delay_micros > :now THEN 1 ELSE 0 END AS delayed_now FROM " + joinRows();
        return switch (dialect()) {
            case MYSQL -> rows + " FOR UPDATE OF m SKIP LOCKED";
            case POSTGRESQL -> rows + " ORDER BY m.seq FOR UPDATE OF m SKIP LOCKED";
            case MARIADB, H2 -> rows + " FOR UPDATE SKIP LOCKED";
        };
    }

    private String deleteRows() {
        return switch (dialect()) {
            case MYSQL, MARIADB -> "DELETE m FROM " + joinRows();
            case POSTGRESQL, H2 -> "DELETE FROM " + joinRows();
        };
    }

    /**
     * PostgreSQL records in xmax which transaction has or had locked a row, so rows need not be locked before they are
     * deleted; a transaction that comes in between is waited for. The sum keeps it from using the index of ready rows.
     */
    private Optional<String> deleteUntouchedRows() {
        return switch (dialect()) {
            case MYSQL ->
                Optional.of("DELETE m FROM (SELECT m.seq FROM " + joinRows() + " AND m.status = 0 AND m.version = 0"
                        + " FOR UPDATE OF m SKIP LOCKED) f STRAIGHT_JOIN outbox_message m ON m.seq = f.seq");
            case POSTGRESQL -> Optional.of(deleteRows() + " AND m.xmax = 0 AND m.status + 0 = 0 AND m.version = 0");
            case MARIADB, H2 -> Optional.empty();
        };
    }

    private String updateRows(String set) {
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                "UPDATE (:keys) k STRAIGHT_JOIN outbox_message m ON m.seq = k.seq AND m.id = k.id SET " + set;
            case POSTGRESQL, H2 -> "UPDATE outbox_message m SET " + set + " WHERE " + namedRows();
        };
    }

    /** The rows named by {@link Keys} as alias m, ending in a condition. */
    private String joinRows() {
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                "(:keys) k STRAIGHT_JOIN outbox_message m ON m.seq = k.seq AND m.id = k.id WHERE m.seq = k.seq";
            case POSTGRESQL, H2 -> "outbox_message m WHERE " + namedRows();
        };
    }

    /** If an order is requested, PostgreSQL joins the list to the whole table; IS TRUE makes it use the primary key. */
    private String namedRows() {
        return dialect() == Dialect.POSTGRESQL
                ? "m.seq = ANY (?) AND (m.id = ANY (?)) IS TRUE"
                : "m.seq = ? AND m.id = ?";
    }

    // ---- deliveries; the sum keeps PostgreSQL from scanning the index by lane, which contains the waiting ones ----

    final String deliveries = of(
            "SELECT handler, handler_group, state FROM outbox_delivery WHERE message_id = ? AND seq = ? ORDER BY handler");

    String deliveriesOf(int messages) {
        return of("SELECT message_id, seq, handler, handler_group, state FROM outbox_delivery WHERE message_id IN "
                + placeholders(messages));
    }

    final String addDelivery = of(
            "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts, due_at,"
                    + " last_error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, :now + ?, ?)");
    final String changeDelivery = of(
            "UPDATE outbox_delivery SET handler_group = ?, state = ?, attempts = ?, due_at = :now + ?, last_error = ?"
                    + " WHERE message_id = ? AND handler = ? AND seq = ?");
    final String addDone = of("INSERT INTO outbox_delivery (message_id, handler, seq, lane, shard, state) "
            + (dialect() == Dialect.H2
                    ? "SELECT n.* FROM (VALUES (CAST(? AS UUID), ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS"
                            + " SMALLINT), 1)) n (message_id, handler, seq, lane, shard, state) WHERE NOT EXISTS (SELECT 1"
                            + " FROM outbox_delivery d WHERE d.message_id = n.message_id AND d.handler = n.handler)"
                    : "VALUES (?, ?, ?, ?, ?, 1)" + dialect().ignoreDuplicate("seq")));
    final String lockFreeDelivery = of("SELECT attempts FROM outbox_delivery"
            + " WHERE message_id = ? AND handler = ? AND seq = ? AND state + 0 = 0 FOR UPDATE SKIP LOCKED");
    final String countAttempt = of("UPDATE outbox_delivery SET attempts = ?"
            + " WHERE message_id = ? AND handler = ? AND seq = ? AND state + 0 = 0");
    final String deleteDelivery = of("DELETE FROM outbox_delivery WHERE message_id = ? AND handler = ? AND seq = ?");
    final String deletePending =
            of("DELETE FROM outbox_delivery WHERE message_id = ? AND handler = ? AND seq = ?" + " AND state + 0 = 0");
    final String deleteDone = of("DELETE FROM outbox_delivery WHERE message_id = ? AND seq = ? AND state = 1");
    final String deleteDeliveries = of("DELETE FROM outbox_delivery WHERE message_id = ? AND seq = ?");

    // ---- lanes ----

    /**
     * For the first waiting message of each lane and group: how many deliveries it has, when the first of them is due,
     * and how many lane rows there are. Both are passed as arrays, or three times as two parameters.
     */
    String firstWaiting(int lanes) {
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
    final String waitingForNothing = of("SELECT d.message_id, d.handler FROM outbox_delivery d LEFT JOIN "
            + messageOf("d.seq", " AND m.id = d.message_id")
            + " WHERE d.lane = ? AND d.handler_group = ? AND d.state <> 1 AND d.state + 0 = 0 AND d.seq = ?"
            + " AND m.seq IS NULL");

    final String addLane = of("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (?, ?, ?, ?)");
    final String addBlockedLane =
            of("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (?, ?, ?, NULL)");
    final String resumeLane = of("UPDATE outbox_lane SET resume_at = ? WHERE lane = ? AND handler_group = ?");
    final String postponeLane = of("UPDATE outbox_lane SET resume_at = :now + ?"
            + " WHERE lane = ? AND handler_group = ? AND resume_at IS NOT NULL");
    final String pauseLane =
            of("UPDATE outbox_lane SET resume_at = ? WHERE lane = ? AND handler_group = ? AND resume_at IS NOT NULL");
    final String wakeLanes = of("UPDATE outbox_lane SET resume_at = :now WHERE shard = ? AND resume_at = ?");
    final String blockLane = of("UPDATE outbox_lane SET resume_at = NULL WHERE lane = ? AND handler_group = ?");
    final String deleteLane = of("DELETE FROM outbox_lane WHERE lane = ? AND handler_group = ?");
    final String anyParked = of("SELECT seq FROM outbox_message WHERE lane = ? AND status = 2 LIMIT 1");

    // ---- a delivery that waits ----

    final String pendingOf = of("SELECT seq, lane, shard, handler_group FROM outbox_delivery"
            + " WHERE message_id = ? AND handler = ? AND state = 0");
    private static final String MAKE_DUE =
            "UPDATE outbox_delivery SET due_at = :now WHERE message_id = ? AND handler = ? AND seq = ? AND state = 0";
    final String makeDue = of(MAKE_DUE);
    final String makeDueEarlier = of(MAKE_DUE + " AND due_at > :now");

    // ---- pauses ----

    final String pauses = of("SELECT kind, name, paused_at, paused_by, reason FROM outbox_pause ORDER BY kind, name");

    // ---- dead letters ----

    final String addDeadLetter =
            of("INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, " + CONTENT
                    + ", attempts, error, died_at, blocking) SELECT m.id, ?, ?, m.seq, m.shard, m.lane, " + CONTENT_OF_M
                    + ", ?, ?, :now, ? FROM outbox_message m WHERE m.seq = ? AND m.id = ?");
    private final String byDeadKey = " WHERE message_id = ? AND " + besideMessage("handler = ?");

    final String deleteDeadLetter = of("DELETE FROM outbox_dead" + byDeadKey);
    final String deadRow = of("SELECT seq, shard FROM outbox_dead" + byDeadKey);
    final String deadLetter = of("SELECT handler_group, seq, shard, lane, blocking, aggregate_id, died_at"
            + " FROM outbox_dead" + byDeadKey + " FOR UPDATE");
    final String replay = of("INSERT INTO outbox_message (id, shard, lane, only_handler, " + CONTENT
            + ") SELECT m.message_id, m.shard, m.lane, m.handler, " + CONTENT_OF_M + " FROM outbox_dead m" + byDeadKey);
    final String replayAsText = replayAs("?, m.payload_binary, ?") + " AND m.payload_binary IS NULL";
    final String replayAsBytes = replayAs("m.payload, ?, ?") + " AND m.payload_binary IS NOT NULL";

    /** In one statement: change data capture reads inserted rows and no updates. */
    private String replayAs(String payload) {
        return of("INSERT INTO outbox_message (id, shard, lane, only_handler, " + CONTENT
                + ") SELECT ?, m.shard, m.lane, m.handler, " + contentOfM(payload) + " FROM outbox_dead m" + byDeadKey);
    }

    private final String deadColumns =
            "SELECT m.message_id, m.handler, m.handler_group, m.type, m.aggregate_type, m.aggregate_id, m.attempts, m.error, m.died_at,"
                    + " m.seq, m.blocking, :created AS created FROM outbox_dead m";
    final String oneDead = of(deadColumns + byDeadKey);

    static final String DIED_SINCE = "m.died_at >= ?";
    static final String DIED_UNTIL = "m.died_at < ?";
    static final String DEAD_MESSAGE = "m.message_id = ?";
    static final String DEAD_HANDLER = "m.handler = ?";
    static final String DEAD_TYPE = "m.type = ?";
    static final String DEAD_AGGREGATE_TYPE = "m.aggregate_type = ?";
    static final String DEAD_AGGREGATE_ID = "m.aggregate_id = ?";

    static final String DEAD_ERROR = "POSITION(? IN m.error) > 0";
    static final String DEAD_BLOCKING = "m.blocking = ?";
    /** Not compared with the empty text: to MySQL that equals a text of spaces. */
    static final String DEAD_OF_AGGREGATE = "CHAR_LENGTH(m.aggregate_id) >= ?";
    /** The first comparison is for MySQL, which derives no index range from the second one. */
    static final String DIED_BEFORE = "m.died_at <= ? AND (m.died_at, m.message_id, m.handler) < (?, ?, ?)";

    static final String DIED_AFTER = "m.died_at >= ? AND (m.died_at, m.message_id, m.handler) > (?, ?, ?)";

    /**
     * Conditions on columns with an index in which the rows of one value are ordered by died_at. The order begins with
     * the first of them, so that no other index provides it: estimates may favour the index by died_at, which would be
     * read past all newer rows of other values. An aggregate's id usually leaves the fewest rows, and of a forwarder,
     * the type fewer than the handler.
     */
    private static final List<String> INDEXED_DEAD = List.of(DEAD_AGGREGATE_ID, DEAD_TYPE, DEAD_HANDLER);

    /**
     * The index by died_at provides nearly this order: InnoDB appends the primary key to it, others sort the rows of
     * equal times. With all three columns PostgreSQL would use it where the primary key is intended.
     */
    String newestDead(List<String> conditions) {
        return dead(conditions, " DESC");
    }

    String oldestDead(List<String> conditions) {
        return dead(conditions, "");
    }

    private String dead(List<String> conditions, String direction) {
        List<String> where = new ArrayList<>(conditions);
        Set<String> order = new LinkedHashSet<>();
        if (conditions.contains(DEAD_MESSAGE)) {
            // without sorts PostgreSQL would read the index by time instead of the few rows of one message
            order.add("m.died_at + 0");
        } else {
            INDEXED_DEAD.stream().filter(conditions::contains).findFirst().ifPresent(condition -> {
                String column = condition.replace(" = ?", "");
                where.replaceAll(each -> each.equals(condition) ? only(column) : each);
                order.add(column);
            });
            order.add("m.died_at");
        }
        order.addAll(List.of("m.message_id", "m.handler"));
        return of(deadColumns + where(where) + " ORDER BY " + String.join(direction + ", ", order) + direction
                + " LIMIT ?");
    }

    /** Equal to the parameter. With an equation, PostgreSQL would remove the column from the order, and MySQL sort. */
    private String only(String column) {
        return column
                + switch (dialect()) {
                    case MYSQL -> " IN (?, NULL)";
                    case POSTGRESQL -> " = ANY (ARRAY[?])";
                    case MARIADB, H2 -> " = ?";
                };
    }

    String countDead(List<String> conditions) {
        return count("outbox_dead m" + where(conditions));
    }

    private String where(List<String> conditions) {
        boolean isOfMessage = conditions.contains(DEAD_MESSAGE);
        return conditions.isEmpty()
                ? ""
                : conditions.stream()
                        .map(each -> isOfMessage && !each.equals(DEAD_MESSAGE) ? besideMessage(each) : each)
                        .collect(Collectors.joining(" AND ", " WHERE ", ""));
    }

    /**
     * A condition from which PostgreSQL derives no index range. If it takes the table for empty, all indexes seem
     * equally good to it, but all dead letters may be of one handler.
     */
    private String besideMessage(String condition) {
        return dialect() == Dialect.POSTGRESQL ? "(" + condition + ") IS TRUE" : condition;
    }

    String anyDead(int messages) {
        return of("SELECT DISTINCT message_id FROM outbox_dead WHERE message_id IN " + placeholders(messages));
    }

    // ---- deliveries of handlers that are not in use ----

    /** A retired handler may be registered for any type, or the other way round, or not at all any more. */
    private static String inUse(String handler, String type) {
        return "SELECT h.handler FROM outbox_handler h WHERE h.handler = " + handler + " AND h.type IN (" + type + ", '"
                + HandlerKey.ANY_TYPE + "') AND h.retired = 0";
    }

    /** The first comparison is for MySQL, as above. The index by lane has this order. */
    private static final String AFTER = "d.lane >= ? AND (d.lane, d.handler_group, d.seq) > (?, ?, ?) AND d.state <> 1";

    private static final String UNTIL = "d.lane <= ? AND (d.lane, d.handler_group, d.seq) <= (?, ?, ?)";
    private static final String IN_ORDER = " ORDER BY d.lane, d.handler_group, d.seq";

    final String endOfWaiting = of("SELECT d.lane, d.shard, d.handler_group, d.seq FROM outbox_delivery d WHERE "
            + AFTER + IN_ORDER + " LIMIT 1 OFFSET ?");

    String waitingFor(boolean bounded) {
        return of("SELECT d.message_id, d.seq, d.lane, d.shard, d.handler_group,"
                + " m.type, m.aggregate_type, m.aggregate_id FROM outbox_delivery d JOIN "
                + messageOf("d.seq", " AND m.id = d.message_id") + " WHERE " + AFTER + (bounded ? " AND " + UNTIL : "")
                + " AND d.handler = ? AND d.state + 0 = 0 AND NOT EXISTS (" + inUse("d.handler", "m.type") + ")"
                + IN_ORDER + " LIMIT ?");
    }

    /** No index leads to the deliveries of a handler. The last parameter is how many of all deliveries are read. */
    final String countWaitingFor =
            of("SELECT COUNT(*) AS seen, SUM(t.waits) AS found FROM (SELECT CASE WHEN handler = ?"
                    + " AND state = 0 THEN 1 ELSE 0 END AS waits FROM outbox_delivery LIMIT ?) t");

    final String inUse = of(inUse("?", "?"));
    final String registrations = of("SELECT type, retired FROM outbox_handler WHERE handler = ? ORDER BY type");
    final String retire = of("UPDATE outbox_handler SET retired = 1 WHERE type = ? AND handler = ? AND retired = 0");

    // ---- the inbox ----

    public final String addReceived = of(dialect().asOfNow()
            + "INSERT INTO outbox_inbox (receiver, message_id, first_call, received_at) VALUES (?, ?, ?, :now)"
            + dialect().ignoreDuplicate("receiver"));
    private static final String SAME_MESSAGE = "receiver = ? AND message_id = ?";
    private final String firstCall = of("SELECT first_call FROM outbox_inbox WHERE " + SAME_MESSAGE);
    /** The snapshot of MySQL and MariaDB may be older than the row. */
    public final String received =
            dialect().isMySqlFamily() ? dialect().asOfNow() + firstCall + " FOR UPDATE" : firstCall;

    public String firstCalls(int messages) {
        return firstCall + (" OR " + SAME_MESSAGE).repeat(messages - 1);
    }

    // ---- checks ----

    public final String meta = of("SELECT setting FROM outbox_meta WHERE name = ?");
    public final String countShards =
            of("SELECT COUNT(*) AS shards, MIN(shard) AS lowest, MAX(shard) AS highest FROM outbox_shard");
    public final String countSlots = of("SELECT COUNT(*) AS slots FROM outbox_lock WHERE slot >= 0 AND slot < ?");
    public final String probe = of("SELECT setting FROM outbox_meta WHERE name = 'probe' FOR UPDATE");
    public final String probeFree = of("SELECT setting FROM outbox_meta WHERE name = 'probe' FOR UPDATE SKIP LOCKED");

    public final String writeProbe = of("UPDATE outbox_meta SET setting = ? WHERE name = 'probe'");
    public final String clearProbe = of("UPDATE outbox_meta SET setting = 0 WHERE name = 'probe' AND setting = ?");

    public final String numberCache = "SELECT s.seqcache FROM pg_sequence s"
            + " WHERE s.seqrelid = CAST(pg_get_serial_sequence(?, 'seq') AS regclass)";

    /**
     * MySQL: the bytes of one text as the tables store them, and another as it is read. Converted, because HEX alone
     * shows the bytes in the character set of the session, whose name may be wrong.
     */
    public final String echo = "SELECT HEX(CONVERT(? USING utf8mb4)) AS kept, CONVERT(? USING utf8mb4) AS answer";

    public final String serverEncoding = "SHOW server_encoding";

    public String numberStep(String scope) {
        return "SELECT @@" + scope + ".auto_increment_increment AS step";
    }

    private static String placeholders(int count) {
        return "(" + "?, ".repeat(count - 1) + "?)";
    }
}
