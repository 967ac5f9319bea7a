package io.outboxed.internal.schema;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;

/** Tables of layout 0, with rows as the snapshot of 2026-11-20 left them when its nodes had stopped. */
public final class LayoutZero implements AutoCloseable {
    public static final String PREFIX = "outbox_";
    private static final int SHARD = 7;

    private final Connection connection;
    private final Jdbc jdbc;

    private LayoutZero(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.jdbc = new Jdbc(connection, dialect);
    }

    /** Replaces all tables. Registered are ship and mail for "placed". */
    public static LayoutZero create(ConnectionSource source, Dialect dialect) throws SQLException {
        LayoutZero tables = new LayoutZero(source.open(), dialect);
        for (DdlScript.Table table : DdlScript.of(dialect, PREFIX).tables()) {
            tables.jdbc.update("DROP TABLE IF EXISTS " + table.name());
        }
        Dialect written = dialect == Dialect.MARIADB ? Dialect.MYSQL : dialect;
        String file = "layout-0/" + written.name().toLowerCase(Locale.ROOT) + ".sql";
        for (String statement : SqlFile.statements(SqlFile.text(file, dialect, PREFIX))) {
            tables.jdbc.update(statement);
        }
        for (String handler : new String[] {"ship", "mail"}) {
            tables.jdbc.update(
                    "INSERT INTO outbox_handler (type, handler, since, retired) VALUES ('placed', ?, 1, 0)", handler);
        }
        tables.jdbc.update("UPDATE outbox_meta SET setting = 1 WHERE name = 'registry'");
        tables.jdbc.update("INSERT INTO outbox_node (owner, label, generation, beat, beat_at, state)"
                + " VALUES ('old', 'shop-1', 1, 5, 5, 1)");
        return tables;
    }

    /** As the old version publishes. */
    public UUID ready(String type, int lane) throws SQLException {
        return message(type, lane, 0, 0);
    }

    /** Its time has come, a microsecond after it was stored. */
    public UUID parked(String type, int lane) throws SQLException {
        UUID id = message(type, lane, 2, 1);
        waits(lane, "*", "1");
        return id;
    }

    private UUID message(String type, int lane, int status, long delayMicros) throws SQLException {
        UUID id = UUID.randomUUID();
        jdbc.update(
                "INSERT INTO outbox_message (id, shard, lane, status, attempts, aggregate_type, aggregate_id, type,"
                        + " payload, payload_size, delay_micros, registry)"
                        + " VALUES (?, ?, ?, ?, 1, 'order', ?, ?, '{}', 2, ?, 1)",
                id,
                SHARD,
                lane,
                status,
                String.valueOf(lane),
                type,
                delayMicros);
        return id;
    }

    /** Handled by ship, when the node was killed. */
    public UUID halfDone(String type, int lane) throws SQLException {
        UUID id = message(type, lane, 0, 0);
        delivery(id, "ship", 1, 0);
        return id;
    }

    /** Only this handler's delivery is left. */
    public UUID retrying(String type, int lane, String handler, int attempts) throws SQLException {
        UUID id = message(type, lane, 3, 0);
        delivery(id, handler, 0, attempts);
        waits(lane, handler, "1");
        return id;
    }

    /** As the old version stores the replay of a dead letter. */
    public UUID replayed(String type, int lane, String handler) throws SQLException {
        UUID id = message(type, lane, 3, 0);
        delivery(id, handler, 0, 0);
        waits(lane, handler, "1");
        return id;
    }

    /** A dead letter that holds up its aggregate. */
    public UUID blocked(String type, int lane, String handler) throws SQLException {
        UUID id = message(type, lane, 3, 0);
        delivery(id, handler, 2, 5);
        waits(lane, handler, "NULL");
        letter(id, type, lane, handler, 1);
        return id;
    }

    public UUID dead(String type, int lane, String handler) throws SQLException {
        UUID id = UUID.randomUUID();
        letter(id, type, lane, handler, 0);
        return id;
    }

    /** A later message of the aggregate, which has been handled by ship. */
    public UUID behind(String type, int lane, String handler) throws SQLException {
        UUID id = message(type, lane, 3, 0);
        delivery(id, handler, 0, 0);
        return id;
    }

    public UUID processed(String type, int lane) throws SQLException {
        UUID id = UUID.randomUUID();
        jdbc.update(
                "INSERT INTO outbox_history (id, processed_at, seq, shard, lane, aggregate_type, aggregate_id, type,"
                        + " payload, payload_size, delay_micros, registry)"
                        + " VALUES (?, 1000000, 1, ?, ?, 'order', ?, ?, '{}', 2, 0, 1)",
                id,
                SHARD,
                lane,
                String.valueOf(lane),
                type);
        return id;
    }

    private void delivery(UUID id, String handler, int state, int attempts) throws SQLException {
        jdbc.update(
                "INSERT INTO outbox_delivery (message_id, handler, seq, lane, shard, state, attempts)"
                        + " SELECT id, ?, seq, lane, shard, ?, ? FROM outbox_message WHERE id = ?",
                handler,
                state,
                attempts,
                id);
    }

    /** @param resumeAt NULL: until an operator acts */
    private void waits(int lane, String handler, String resumeAt) throws SQLException {
        jdbc.update(
                "INSERT INTO outbox_lane (lane, handler, shard, resume_at) VALUES (?, ?, ?, " + resumeAt + ")",
                lane,
                handler,
                SHARD);
    }

    private void letter(UUID id, String type, int lane, String handler, int blocked) throws SQLException {
        long seq = jdbc.first("SELECT seq FROM outbox_message WHERE id = ?", row -> row.getLong("seq"), id)
                .orElse(1L);
        jdbc.update(
                "INSERT INTO outbox_dead (message_id, handler, seq, shard, lane, aggregate_type, aggregate_id, type,"
                        + " payload, payload_size, registry, attempts, error, died_at, blocked)"
                        + " VALUES (?, ?, ?, ?, ?, 'order', ?, ?, '{}', 2, 1, 5, 'down', 1000000, ?)",
                id,
                handler,
                seq,
                SHARD,
                lane,
                String.valueOf(lane),
                type,
                blocked);
    }

    /** The statements that an administrator runs. */
    public void upgrade() throws SQLException {
        for (String statement : UpgradeScript.statements(jdbc.dialect(), PREFIX, 0)) {
            jdbc.update(statement);
        }
    }

    public void run(String statement) throws SQLException {
        jdbc.update(statement);
    }

    public int count(String table) throws SQLException {
        return jdbc.first("SELECT COUNT(*) AS n FROM outbox_" + table, row -> row.getInt("n"))
                .orElseThrow();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
