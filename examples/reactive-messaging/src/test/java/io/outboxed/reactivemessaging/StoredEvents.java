package io.outboxed.reactivemessaging;

import io.outboxed.internal.store.LaneHash;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.h2.tools.Server;

/** The outbox's tables in a database outside the server, whose crash leaves it alone. */
final class StoredEvents implements AutoCloseable {
    /** And the password. */
    static final String USER = "outbox";

    private final Server database;
    private final String url;
    private final Connection connection;

    StoredEvents() throws SQLException {
        database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:events;DB_CLOSE_DELAY=-1";
        connection = DriverManager.getConnection(url, USER, USER);
    }

    String url() {
        return url;
    }

    /** Round robin: the first number of each aggregate, then the next one. The payload is the number. */
    void publish(String aggregateType, int aggregates, int firstNumber, int lastNumber) throws SQLException {
        for (int number = firstNumber; number <= lastNumber; number++) {
            for (int aggregate = 0; aggregate < aggregates; aggregate++) {
                publish(aggregateType, aggregateType + "-" + aggregate, String.valueOf(number));
            }
        }
    }

    UUID publish(String aggregateType, String aggregate, String payload) throws SQLException {
        UUID id = UUID.randomUUID();
        long lane = LaneHash.lane(aggregateType, aggregate);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO outbox_message (id, shard, lane, aggregate_type,"
                        + " aggregate_id, type, payload, payload_size) VALUES (?, ?, ?, ?, ?, 'it.happened', ?, ?)")) {
            insert.setObject(1, id);
            insert.setInt(2, LaneHash.shard(lane));
            insert.setLong(3, lane);
            insert.setString(4, aggregateType);
            insert.setString(5, aggregate);
            insert.setString(6, payload);
            insert.setInt(7, payload.length());
            insert.executeUpdate();
        }
        return id;
    }

    int left() {
        return number("SELECT COUNT(*) FROM outbox_message");
    }

    /** Deliveries that have failed and are tried again. */
    int retried() {
        return number("SELECT COUNT(*) FROM outbox_delivery");
    }

    /** Of all deliveries that are tried again. */
    int countedAttempts() {
        return number("SELECT COALESCE(SUM(attempts), 0) FROM outbox_delivery");
    }

    /** The attempts of each dead letter. */
    List<Integer> dead(String aggregateType) {
        return numbers("SELECT attempts FROM outbox_dead WHERE aggregate_type = '" + aggregateType + "'");
    }

    private int number(String query) {
        return numbers(query).get(0);
    }

    private List<Integer> numbers(String query) {
        List<Integer> numbers = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                numbers.add(row.getInt(1));
            }
            return numbers;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        database.stop();
    }
}
