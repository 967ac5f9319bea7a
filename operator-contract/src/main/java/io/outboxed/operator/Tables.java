package io.outboxed.operator;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** The tables of an outbox, with rows as a relay leaves them. */
public final class Tables implements AutoCloseable {
    /** A time in microseconds, in the year 2100. */
    public static final long FAR_AWAY = 4_102_444_800_000_000L;

    private static final List<String> FILLED = List.of(
            "message",
            "node",
            "handler",
            "lane",
            "claim",
            "delivery",
            "dead",
            "inbox",
            "history",
            "pause",
            "audit",
            "operation");

    private final Connection connection;
    private final Dialect dialect;
    private final Jdbc jdbc;
    private long seq = 1000;

    private Tables(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
        this.jdbc = new Jdbc(connection, dialect);
    }

    public static Tables empty(ConnectionSource source, Dialect dialect) throws SQLException {
        Tables tables = existing(source, dialect);
        if (!tables.isCleared()) {
            new Schema(source, dialect, "outbox_").create();
            tables.clear();
        }
        return tables;
    }

    /** False if a table is missing. {@link Schema} looks at every column of each, which takes longer than most tests. */
    private boolean isCleared() {
        try {
            clear();
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    public void clear() throws SQLException {
        for (String table : FILLED) {
            run("DELETE FROM outbox_" + table);
        }
        run("UPDATE outbox_shard SET owner = NULL");
    }

    public static Tables existing(ConnectionSource source, Dialect dialect) throws SQLException {
        return new Tables(source.open(), dialect);
    }

    /** Two old rows and a new one in each table that has an age. */
    public void aged() throws SQLException {
        history(100);
        history(91);
        history(1);
        inbox("mail", 100);
        inbox("mail", 91);
        inbox("mail", 1);
        dead("order.placed", "1", "mail", "down");
        dead("order.placed", "2", "mail", "down");
        blocked("order.placed", "3", "mail", "down");
        handler("order.placed", "old", true);
        handler("order.placed", "mail", true);
    }

    public int run(String sql, Object... parameters) throws SQLException {
        return jdbc.update(sql, parameters);
    }

    public UUID ready(String type, String aggregate) throws SQLException {
        return message(type, aggregate, 0);
    }

    /** A message that waits in the table, with its whole lane. */
    public UUID parked(String type, String aggregate) throws SQLException {
        UUID id = message(type, aggregate, 2);
        run("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (?, '*', 7, 1)", lane(aggregate));
        return id;
    }

    private UUID message(String type, String aggregate, int status) throws SQLException {
        UUID id = UUID.randomUUID();
        run(
                "INSERT INTO outbox_message (seq, id, shard, lane, status, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, headers) VALUES (?, ?, 7, ?, ?, 'order', ?, ?, ?, 10, ?)",
                ++seq,
                id,
                lane(aggregate),
                status,
                aggregate,
                type,
                "{\"card\":\"4711\"}",
                "{\"token\":\"abc\"}");
        return id;
    }

    private static long lane(String aggregate) {
        return 7 + 64L * (aggregate.hashCode() & 0xFFFFF);
    }

    /** A message of which only this delivery is left. */
    public UUID waiting(String type, String aggregate, String handler) throws SQLException {
        UUID id = message(type, aggregate, 3);
        delivery(id, aggregate, handler, 0);
        return id;
    }

    /** One whose next attempt is far away. */
    public UUID waitingLong(String type, String aggregate, String handler) throws SQLException {
        UUID id = waiting(type, aggregate, handler);
        run("UPDATE outbox_delivery SET due_at = ? WHERE message_id = ?", FAR_AWAY, id);
        run("UPDATE outbox_lane SET resume_at = ? WHERE lane = ?", FAR_AWAY, lane(aggregate));
        return id;
    }

    /** Another handler's delivery of the newest message. */
    public void alsoWaiting(UUID id, String aggregate, String handler) throws SQLException {
        delivery(id, aggregate, handler, 0);
    }

    /** As if somebody had deleted the row by SQL. */
    public void forgetLane(String aggregate) throws SQLException {
        run("DELETE FROM outbox_lane WHERE lane = ?", lane(aggregate));
    }

    /** A message of which a delivery is left that waits behind those of another handler. */
    public void waitingBehind(String behind, String type, String aggregate, String handler) throws SQLException {
        delivery(message(type, aggregate, 3), aggregate, handler, behind, 0);
    }

    private void delivery(UUID id, String aggregate, String handler, int state) throws SQLException {
        delivery(id, aggregate, handler, handler, state);
    }

    private void delivery(UUID id, String aggregate, String handler, String first, int state) throws SQLException {
        run(
                "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts,"
                        + " due_at, last_error) VALUES (?, ?, ?, ?, ?, 7, ?, 2, 1, 'unknown to the node')",
                id,
                handler,
                "group of " + first,
                seq,
                lane(aggregate),
                state);
        run("DELETE FROM outbox_lane WHERE lane = ? AND handler_group = ?", lane(aggregate), "group of " + first);
        run(
                "INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (?, ?, 7, "
                        + (state == 2 ? "NULL" : "1") + ")",
                lane(aggregate),
                "group of " + first);
    }

    /** More deliveries than anybody counts, in the lane of one that is there. */
    public void manyWaiting(String handler) throws SQLException {
        run(
                "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state) SELECT "
                        + randomId() + ", ?, ?, a.slot * 1024 + b.slot, l.lane, 7, 0 FROM outbox_lock a,"
                        + " outbox_lock b, outbox_lane l WHERE b.slot < 98",
                handler,
                "group of " + handler);
    }

    /** More dead letters than anybody counts. */
    public void manyDead(String handler) throws SQLException {
        run(
                "INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, type, payload_size,"
                        + " registry_version, attempts, error, died_at, blocking) SELECT " + randomId()
                        + ", ?, ?, 1, 7, 7, 'order.placed', 0, 0, 5, 'down', 7, 0 FROM outbox_lock a, outbox_lock b"
                        + " WHERE b.slot < 98",
                handler,
                "group of " + handler);
    }

    /** In SQL. */
    public String randomId() {
        return switch (dialect) {
            case H2 -> "RANDOM_UUID()";
            case POSTGRESQL -> "gen_random_uuid()";
            case MYSQL, MARIADB -> "UNHEX(REPLACE(UUID(), '-', ''))";
        };
    }

    /** A dead letter that did not hold up its aggregate. */
    public UUID dead(String type, String aggregate, String handler, String error) throws SQLException {
        UUID id = UUID.randomUUID();
        letter(id, ++seq, type, aggregate, handler, error, 0);
        return id;
    }

    /** Another handler's dead letter of the same event. */
    public void alsoDead(UUID id, String handler) throws SQLException {
        run(
                "INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, aggregate_type,"
                        + " aggregate_id, type, payload_size, registry_version, attempts, error, died_at, blocking)"
                        + " SELECT message_id, ?, handler_group, seq, shard, lane, aggregate_type, aggregate_id, type,"
                        + " 0, 0, 5, 'down', died_at, 0 FROM outbox_dead WHERE message_id = ?",
                handler,
                id);
    }

    /** A dead letter of a delivery that still waits. */
    public UUID blocked(String type, String aggregate, String handler, String error) throws SQLException {
        UUID id = message(type, aggregate, 3);
        delivery(id, aggregate, handler, 2);
        letter(id, seq, type, aggregate, handler, error, 1);
        return id;
    }

    private void letter(UUID id, long number, String type, String aggregate, String handler, String error, int blocks)
            throws SQLException {
        run(
                "INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, aggregate_type,"
                        + " aggregate_id, type, payload, payload_size, headers, registry_version, attempts, error,"
                        + " died_at, blocking) VALUES (?, ?, ?, ?, 7, ?, 'order', ?, ?, ?, 10, ?, 0, 5, ?, ?, ?)",
                id,
                handler,
                "group of " + handler,
                number,
                lane(aggregate),
                aggregate,
                type,
                "{\"card\":\"4711\"}",
                "{\"token\":\"abc\"}",
                error,
                number * 1_000_000,
                blocks);
    }

    public void handler(String type, String name, boolean retired) throws SQLException {
        run(
                "INSERT INTO outbox_handler (type, handler, handler_group, registry_version, retired)"
                        + " VALUES (?, ?, ?, 1, ?)",
                type,
                name,
                "group of " + name,
                retired ? 1 : 0);
    }

    /** A live node that relays this many shards. */
    public void node(String owner, String label, int shards) throws SQLException {
        node(owner, label, shards, Duration.ZERO);
    }

    /** One that has not been declared dead, and whose last heartbeat was so long ago. */
    public void node(String owner, String label, int shards, Duration silence) throws SQLException {
        run(
                "INSERT INTO outbox_node (owner, label, registry_version, beat, beat_at, state)"
                        + " VALUES (?, ?, 1, 1, ?, 0)",
                owner,
                label,
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().minus(silence)));
        run("UPDATE outbox_shard SET owner = ? WHERE shard < ?", owner, shards);
    }

    /** A processed message. */
    public void history(int daysAgo) throws SQLException {
        run(
                "INSERT INTO outbox_history (id, processed_at, seq, shard, lane, type, payload_size, delay_micros,"
                        + " registry_version) VALUES (?, ?, ?, 7, 7, 'order.placed', 0, 0, 0)",
                UUID.randomUUID(),
                microsAgo(daysAgo),
                ++seq);
    }

    /** An effect that is remembered. */
    public void inbox(String receiver, int daysAgo) throws SQLException {
        run(
                "INSERT INTO outbox_inbox (receiver, message_id, first_call, received_at) VALUES (?, ?, ?, ?)",
                receiver,
                UUID.randomUUID().toString(),
                UUID.randomUUID(),
                microsAgo(daysAgo));
    }

    private static long microsAgo(int days) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().minus(days, ChronoUnit.DAYS));
    }

    public static List<String> names() {
        return Stream.concat(FILLED.stream(), Stream.of("shard", "lock", "meta"))
                .map(table -> "outbox_" + table)
                .toList();
    }

    public int count(String table) throws SQLException {
        return jdbc.first("SELECT COUNT(*) AS n FROM outbox_" + table, row -> row.getInt("n"))
                .orElseThrow();
    }

    public List<String> texts(String sql) throws SQLException {
        return jdbc.list(sql, row -> row.getString(1));
    }

    /** @param sql selects a column {@code found} */
    public List<UUID> ids(String sql) throws SQLException {
        return jdbc.list(sql, row -> jdbc.uuid(row, "found"));
    }

    /** How many rows each table has. */
    public Map<String, Integer> counts() throws SQLException {
        Map<String, Integer> counts = new TreeMap<>();
        for (String table : FILLED) {
            counts.put(table, count(table));
        }
        return counts;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
