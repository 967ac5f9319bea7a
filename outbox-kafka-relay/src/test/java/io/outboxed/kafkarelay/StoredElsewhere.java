package io.outboxed.kafkarelay;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.servers.database.RealDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** A database, and in it the events of another application. The payload is the event's number in its aggregate. */
final class StoredElsewhere implements AutoCloseable {
    private final RealDatabase database;

    StoredElsewhere(Supplier<? extends RealDatabase> start) {
        database = start.get();
    }

    String url() {
        return database.url();
    }

    String user() {
        return database.user();
    }

    String password() {
        return database.password();
    }

    /** Round robin: the first number of each aggregate, then the next one. */
    void publish(String type, int aggregates, int firstNumber, int lastNumber) throws SQLException {
        for (int number = firstNumber; number <= lastNumber; number++) {
            for (int aggregate = 0; aggregate < aggregates; aggregate++) {
                publish(type, type + "-" + aggregate, String.valueOf(number));
            }
        }
    }

    void publishTooLarge(String type, int characters) throws SQLException {
        publish(type, type + "-0", "1".repeat(characters));
    }

    private void publish(String type, String aggregate, String payload) throws SQLException {
        long lane = LaneHash.lane("order", aggregate);
        try (Connection connection = open();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                                + " payload_size) VALUES (?, ?, ?, 'order', ?, ?, ?, ?)")) {
            insert.setObject(1, Dialect.from(connection.getMetaData()).uuidParameter(UUID.randomUUID()));
            insert.setInt(2, LaneHash.shard(lane));
            insert.setLong(3, lane);
            insert.setString(4, aggregate);
            insert.setString(5, type);
            insert.setString(6, payload);
            insert.setInt(7, payload.length());
            insert.executeUpdate();
        }
    }

    int left() {
        return Integer.parseInt(read("SELECT COUNT(*) FROM outbox_message").get(0));
    }

    List<String> deadLetters() {
        return read("SELECT CONCAT(handler, ': ', error) FROM outbox_dead");
    }

    private List<String> read(String query) {
        List<String> rows = new ArrayList<>();
        try (Connection connection = open();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                rows.add(row.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection open() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }

    @Override
    public void close() {
        database.close();
    }
}
