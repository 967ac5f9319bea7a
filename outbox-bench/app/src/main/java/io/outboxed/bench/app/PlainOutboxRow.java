package io.outboxed.bench.app;

import com.github.f4b6a3.uuid.UuidCreator;
import io.outboxed.internal.store.LaneHash;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Inserts the outbox's row as an application with plain JDBC would. */
@ApplicationScoped
public class PlainOutboxRow {
    private static final String INSERT = "INSERT INTO limit_message"
            + " (id, shard, lane, aggregate_type, aggregate_id, type, payload, payload_size)"
            + " VALUES (?, ?, ?, 'bench', ?, 'bench.tick', ?, ?)";

    void insert(Connection connection, long aggregate, String text) throws SQLException {
        String id = Long.toString(aggregate);
        long lane = LaneHash.lane("bench", id);
        String payload = "{\"aggregate\":" + id + ",\"text\":\"" + text + "\"}";
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            UUID uuid = UuidCreator.getTimeOrderedEpoch();
            insert.setObject(1, isMySql(connection) ? bytes(uuid) : uuid);
            insert.setInt(2, LaneHash.shard(lane));
            insert.setLong(3, lane);
            insert.setString(4, id);
            insert.setString(5, payload);
            insert.setInt(6, payload.length());
            insert.executeUpdate();
        }
    }

    private static boolean isMySql(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
    }

    private static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }
}
