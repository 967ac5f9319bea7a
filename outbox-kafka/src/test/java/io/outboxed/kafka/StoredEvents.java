package io.outboxed.kafka;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.LaneHash;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.h2.tools.Server;

/** The outbox's tables in this process, which other processes can reach: their crash leaves the database alone. */
final class StoredEvents implements AutoCloseable {
    private final String name = "kafka-" + UUID.randomUUID();
    private final Server server;
    private final Connection connection;

    StoredEvents() throws SQLException {
        server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        connection = open();
        new Schema(this::open, Dialect.H2, ForwardingNode.TABLES).create();
    }

    String url() {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:" + name + ";DB_CLOSE_DELAY=-1";
    }

    Connection open() throws SQLException {
        return DriverManager.getConnection(url(), "sa", "sa");
    }

    /** Round robin: the first event of each aggregate, then the second one. The payload is the event's number. */
    void publish(int aggregates, int eventsOfEach, int firstNumber) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, registry_version) VALUES (?, ?, ?, 'order', ?, 'order.placed', ?, ?, 0)")) {
            for (int number = firstNumber; number < firstNumber + eventsOfEach; number++) {
                for (int aggregate = 0; aggregate < aggregates; aggregate++) {
                    add(insert, "o-" + aggregate, String.valueOf(number));
                }
                insert.executeBatch();
            }
        }
    }

    private static void add(PreparedStatement insert, String aggregate, String payload) throws SQLException {
        long lane = LaneHash.lane("order", aggregate);
        insert.setObject(1, UUID.randomUUID());
        insert.setInt(2, LaneHash.shard(lane));
        insert.setLong(3, lane);
        insert.setString(4, aggregate);
        insert.setString(5, payload);
        insert.setInt(6, payload.length());
        insert.addBatch();
    }

    int left() {
        return count("outbox_message");
    }

    int dead() {
        return count("outbox_dead");
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
