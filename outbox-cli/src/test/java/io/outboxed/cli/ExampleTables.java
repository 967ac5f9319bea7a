package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Tables;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** Rows as the examples of the page show them. */
record ExampleTables(Tables tables, Dialect dialect) {
    private static final String MAIL = "order-mail";
    private static final String RETIRED = "Warehouse.ship";
    private static final String ERROR = "java.net.ConnectException: Connection refused";

    /** Two nodes, three orders whose mails could not be sent, and one that waits for a handler that is gone. */
    void ofAShop() throws SQLException {
        tables.node("b07e42", "shop-2", 64);
        tables.node("5f1c0a", "shop-1", 32);
        for (int i = 1; i <= 3; i++) {
            dead(id(i), i, "471" + i, Instant.parse("2026-11-21T10:0" + i + ":0" + i + "Z"));
        }
        handler(MAIL, "Mailer", false);
        handler(RETIRED, "Warehouse", true);
        tables.run(
                "INSERT INTO outbox_message (seq, id, shard, lane, status, aggregate_type, aggregate_id, type, payload)"
                        + " VALUES (9, ?, 7, 7, 3, 'order', '4720', 'order.placed', '{}')",
                id(9));
        tables.run(
                "INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts,"
                        + " due_at, last_error)"
                        + " VALUES (?, ?, 'Warehouse', 9, 7, 7, 0, 0, ?, 'this handler was unknown to the node')",
                id(9),
                RETIRED,
                micros(Instant.now()));
        tables.run("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) VALUES (7, 'Warehouse', 7, 1)");
    }

    /** What an example shows and none before it has made. */
    void prepareFor(String command) throws SQLException {
        if (command.startsWith("outbox cleanup") && tables.count("history") == 0) {
            tables.clear();
            Instant old = Instant.now().minus(100, ChronoUnit.DAYS);
            tables.run(
                    "INSERT INTO outbox_history (id, processed_at, seq, shard, lane, type, payload_size, delay_micros,"
                            + " registry_version) SELECT " + tables.randomId()
                            + ", ?, a.slot, 7, 7, 'order.placed', 0, 0, 0 FROM outbox_lock a, outbox_lock b"
                            + " WHERE b.slot < 5 LIMIT 4220",
                    micros(old));
            for (int i = 1; i <= 12; i++) {
                dead(UUID.randomUUID(), i, "" + i, old);
            }
        } else if (command.startsWith("outbox partitions")) {
            partition(-92);
            for (int day = 0; day < 30; day++) {
                partition(day);
            }
        } else if (command.equals("outbox schema verify")) {
            tables.run("DROP INDEX outbox_dead_died" + (dialect.isMySqlFamily() ? " ON outbox_dead" : ""));
        }
    }

    /** A delivery whose next attempt is far away. */
    void waitForLong(String handler) throws SQLException {
        tables.waitingLong("order.placed", "4721", handler);
    }

    /** As if a deployment still had it. */
    void activate(String handler) throws SQLException {
        tables.run("UPDATE outbox_handler SET retired = 0 WHERE handler = ?", handler);
    }

    List<String> texts(String sql) throws SQLException {
        return tables.texts(sql);
    }

    /** The only bulk operation. */
    UUID operation() throws SQLException {
        return tables.ids("SELECT id AS found FROM outbox_operation").get(0);
    }

    /** As after a deployment in which it observes one type and no longer any. */
    void narrowToOrders(String handler) throws SQLException {
        tables.handler("*", handler, false);
        tables.handler("order.placed", handler, false);
    }

    void drop() throws SQLException {
        for (String name : Tables.names()) {
            tables.run("DROP TABLE " + name);
        }
        tables.close();
    }

    private void handler(String name, String group, boolean retired) throws SQLException {
        tables.handler("order.placed", name, retired);
        tables.run("UPDATE outbox_handler SET handler_group = ? WHERE handler = ?", group, name);
    }

    private void dead(UUID id, int number, String aggregate, Instant died) throws SQLException {
        tables.run(
                "INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, aggregate_type,"
                        + " aggregate_id, type, payload, payload_size, registry_version, attempts, error, died_at,"
                        + " blocking) VALUES (?, ?, ?, ?, 7, ?, 'order', ?, 'order.placed', '{}', 2, 0, 5, ?, ?, 0)",
                id,
                MAIL,
                MAIL,
                number,
                7 + 64L * number,
                aggregate,
                ERROR,
                micros(died));
    }

    /** Of a day, counted from today. */
    private void partition(int day) throws SQLException {
        LocalDate date = LocalDate.now(ZoneOffset.UTC).plusDays(day);
        String name = "p" + date.toString().replace("-", "");
        String end = "(" + start(date.plusDays(1)) + ")";
        tables.run(
                dialect.isMySqlFamily()
                        ? "ALTER TABLE outbox_history REORGANIZE PARTITION pmax INTO (PARTITION " + name
                                + " VALUES LESS THAN " + end + ", PARTITION pmax VALUES LESS THAN MAXVALUE)"
                        : "CREATE TABLE outbox_history_" + name + " PARTITION OF outbox_history FOR VALUES FROM ("
                                + start(date) + ") TO " + end);
    }

    private static long start(LocalDate day) {
        return micros(day.atStartOfDay(ZoneOffset.UTC).toInstant());
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private static UUID id(int number) {
        return UUID.fromString("0199aa10-7c00-7000-8000-00000000000" + number);
    }
}
