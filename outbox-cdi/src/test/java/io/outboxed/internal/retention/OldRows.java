package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Rows of a given age. */
public final class OldRows {
    private final Jdbc jdbc;
    private final String prefix;
    private final long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    public OldRows(Connection connection, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(connection, dialect);
        this.prefix = prefix;
    }

    /** Microseconds since 1970 UTC. */
    public long ago(Duration age) {
        return now - age.toNanos() / 1_000;
    }

    public void history(long processedAt, int rows) throws SQLException {
        List<Object[]> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(new Object[] {UUID.randomUUID(), processedAt, (long) i});
        }
        jdbc.batch(
                "INSERT INTO " + prefix + "history (id, processed_at, seq, shard, lane, type, payload, payload_size,"
                        + " delay_micros, registry_version) VALUES (?, ?, ?, 7, 7, 'order.placed', '{}', 2, 0, 0)",
                values);
    }

    public void inbox(long receivedAt, int rows) throws SQLException {
        List<Object[]> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(new Object[] {UUID.randomUUID().toString(), UUID.randomUUID(), receivedAt});
        }
        jdbc.batch(
                "INSERT INTO " + prefix + "inbox (receiver, message_id, first_call, received_at)"
                        + " VALUES ('accounts', ?, ?, ?)",
                values);
    }

    public void deadLetters(long diedAt, int blocking, int rows) throws SQLException {
        List<Object[]> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(new Object[] {UUID.randomUUID(), diedAt, blocking});
        }
        jdbc.batch(
                "INSERT INTO " + prefix + "dead (message_id, handler, handler_group, seq, shard, lane, type, payload,"
                        + " payload_size, registry_version, attempts, died_at, blocking)"
                        + " VALUES (?, 'A', 'A', 1, 7, 7, 'order.placed', '{}', 2, 0, 3, ?, ?)",
                values);
    }

    /** Messages of which a delivery is left, each in a lane of its own. */
    public void waiting(long dueAt, int rows) throws SQLException {
        for (int i = 0; i < rows; i++) {
            long seq = 1_000_000 + i;
            long lane = 7 + 64L * i;
            UUID id = UUID.randomUUID();
            jdbc.update(
                    "INSERT INTO " + prefix + "message (seq, id, shard, lane, status, type, payload, payload_size)"
                            + " VALUES (?, ?, 7, ?, 3, 'order.placed', '{}', 2)",
                    seq,
                    id,
                    lane);
            jdbc.update(
                    "INSERT INTO " + prefix + "delivery (message_id, handler, handler_group, seq, lane, shard, state,"
                            + " due_at) VALUES (?, 'A', 'A', ?, ?, 7, 0, ?)",
                    id,
                    seq,
                    lane,
                    dueAt);
            jdbc.update(
                    "INSERT INTO " + prefix + "lane (lane, handler_group, shard, resume_at) VALUES (?, 'A', 7, ?)",
                    lane,
                    dueAt);
        }
    }

    void audit(long changedAt, int rows) throws SQLException {
        List<Object[]> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(new Object[] {UUID.randomUUID(), changedAt});
        }
        jdbc.batch(
                "INSERT INTO " + prefix + "audit (id, changed_at, changed_by, changed_via, reason, action, target,"
                        + " changes) VALUES (?, ?, 'alice', 'cli', '', 'pause', 'handler mail', 1)",
                values);
    }

    void operations(long endedAt, int rows) throws SQLException {
        List<Object[]> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add(new Object[] {UUID.randomUUID(), endedAt, endedAt});
        }
        jdbc.batch(
                "INSERT INTO " + prefix + "operation (id, kind, state, died_since, died_until, blocking, accept_order,"
                        + " per_second, matched, started_at, started_by, started_via, reason, ended_at)"
                        + " VALUES (?, 0, 1, 0, 0, 0, 0, 1, 0, ?, 'alice', 'cli', '', ?)",
                values);
    }

    void handler(String name, int retired) throws SQLException {
        jdbc.update(
                "INSERT INTO " + prefix + "handler (type, handler, handler_group, registry_version, retired)"
                        + " VALUES ('order.placed', ?, 'A', 1, ?)",
                name,
                retired);
    }

    void delivery(String handler, int state) throws SQLException {
        jdbc.update(
                "INSERT INTO " + prefix + "delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                        + " VALUES (?, ?, 'A', 1, 7, 7, ?)",
                UUID.randomUUID(),
                handler,
                state);
    }
}
