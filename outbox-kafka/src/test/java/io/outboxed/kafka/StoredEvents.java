package io.outboxed.kafka;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.servers.database.RealDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import org.h2.tools.Server;

/** The outbox's tables in a database that several processes can reach: their crash leaves the database alone. */
final class StoredEvents implements AutoCloseable {
    static final String USER = "outbox";
    static final String PASSWORD = "outbox";

    private final String url;
    private final Runnable end;
    private final Connection connection;
    private final Dialect dialect;

    private StoredEvents(String url, Runnable end) throws SQLException {
        this.url = url;
        this.end = end;
        this.connection = open();
        this.dialect = Dialect.from(connection.getMetaData());
        new Schema(this::open, dialect, ForwardingNode.TABLES).create();
    }

    /** In the memory of this process. */
    static StoredEvents inH2() throws SQLException {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:kafka-" + UUID.randomUUID();
        return new StoredEvents(url + ";DB_CLOSE_DELAY=-1", server::stop);
    }

    static StoredEvents in(RealDatabase server) throws SQLException {
        return new StoredEvents(server.url(), server::close);
    }

    String url() {
        return url;
    }

    Connection open() throws SQLException {
        return open(url);
    }

    static Connection open(String url) throws SQLException {
        return DriverManager.getConnection(url, USER, PASSWORD);
    }

    /** Round robin: the first event of each aggregate, then the second one. The payload is the event's number. */
    void publish(int aggregates, int eventsOfEach, int firstNumber) throws SQLException {
        try (Connection publisher = open()) {
            for (int number = firstNumber; number < firstNumber + eventsOfEach; number++) {
                String payload = String.valueOf(number);
                insert(publisher, 0, aggregates, aggregate -> payload);
            }
        }
    }

    /** One event of each of these aggregates, in the transaction of this connection. */
    void insert(Connection publisher, int firstAggregate, int aggregates, IntFunction<String> payload)
            throws SQLException {
        insert(publisher, "order", firstAggregate, aggregates, payload);
    }

    void insert(
            Connection publisher, String aggregateType, int firstAggregate, int aggregates, IntFunction<String> payload)
            throws SQLException {
        try (PreparedStatement insert = publisher.prepareStatement(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, registry_version)"
                        + " VALUES (?, ?, ?, ?, ?, 'order.placed', ?, ?, 0)")) {
            for (int aggregate = firstAggregate; aggregate < firstAggregate + aggregates; aggregate++) {
                add(insert, aggregateType, "o-" + aggregate, payload.apply(aggregate));
            }
            insert.executeBatch();
        }
    }

    private void add(PreparedStatement insert, String aggregateType, String aggregate, String payload)
            throws SQLException {
        long lane = LaneHash.lane(aggregateType, aggregate);
        insert.setObject(1, dialect.uuidParameter(UUID.randomUUID()));
        insert.setInt(2, LaneHash.shard(lane));
        insert.setLong(3, lane);
        insert.setString(4, aggregateType);
        insert.setString(5, aggregate);
        insert.setString(6, payload);
        insert.setInt(7, payload.length());
        insert.addBatch();
    }

    /** Deletes what has arrived elsewhere. */
    void remove(Set<UUID> ids) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM outbox_message WHERE id = ?")) {
            for (UUID id : ids) {
                delete.setObject(1, dialect.uuidParameter(id));
                delete.addBatch();
            }
            delete.executeBatch();
        }
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

    int deferred() {
        return count("outbox_delivery");
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
        end.run();
    }
}
