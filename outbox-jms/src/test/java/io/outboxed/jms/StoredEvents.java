package io.outboxed.jms;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.LaneHash;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.h2.tools.Server;

/** The outbox's tables in a database that several processes can reach: their crash leaves the database alone. */
final class StoredEvents implements AutoCloseable {
    /** And the password. */
    static final String USER = "outbox";

    private final Server server;
    private final String url;
    private final Connection connection;
    private final Dialect dialect;

    StoredEvents() throws SQLException {
        server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:jms-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        connection = open(url);
        dialect = Dialect.from(connection.getMetaData());
        new Schema(() -> open(url), dialect, ForwardingNode.TABLES).create();
    }

    String url() {
        return url;
    }

    static Connection open(String url) throws SQLException {
        return DriverManager.getConnection(url, USER, USER);
    }

    /** Round robin: the first event of each aggregate, then the second one. The payload is the event's number. */
    void publish(int aggregates, int firstNumber, int lastNumber) throws SQLException {
        try (Connection publisher = open(url);
                PreparedStatement insert = publisher.prepareStatement(
                        "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                                + " payload_size, registry_version)"
                                + " VALUES (?, ?, ?, 'order', ?, 'order.placed', ?, ?, 0)")) {
            for (int number = firstNumber; number <= lastNumber; number++) {
                for (int aggregate = 0; aggregate < aggregates; aggregate++) {
                    add(insert, "o-" + aggregate, String.valueOf(number));
                }
                insert.executeBatch();
            }
        }
    }

    private void add(PreparedStatement insert, String aggregate, String payload) throws SQLException {
        long lane = LaneHash.lane("order", aggregate);
        insert.setObject(1, dialect.uuidParameter(UUID.randomUUID()));
        insert.setInt(2, LaneHash.shard(lane));
        insert.setLong(3, lane);
        insert.setString(4, aggregate);
        insert.setString(5, payload);
        insert.setInt(6, payload.length());
        insert.addBatch();
    }

    /** Of the events whose success is not recorded. */
    Set<UUID> ids() {
        Jdbc jdbc = new Jdbc(connection, dialect);
        try {
            return new HashSet<>(jdbc.list("SELECT id FROM outbox_message", row -> jdbc.uuid(row, "id")));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    int left() {
        return count("outbox_message");
    }

    int dead() {
        return count("outbox_dead");
    }

    int deferred() {
        return count("outbox_delivery");
    }

    private int count(String table) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.stop();
    }
}
