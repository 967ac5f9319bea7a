package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.JdbcFixture;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** The database in memory that live nodes share. */
final class LiveDatabase implements AutoCloseable {
    static final String TYPE = "placed";

    private final JdbcFixture fixture;

    LiveDatabase() throws SQLException {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        fixture = new JdbcFixture(() -> DriverManager.getConnection(url, "sa", ""), Dialect.H2);
    }

    ConnectionSource source() {
        return fixture.source();
    }

    /** @param registryVersion what the publisher knows of the registry of handlers */
    void publish(int lane, long registryVersion) throws SQLException {
        fixture.run(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, registry_version) VALUES (?, ?, ?, 'order', ?, ?, '{}', 2, ?)",
                UUID.randomUUID(),
                lane & 63,
                lane,
                String.valueOf(lane),
                TYPE,
                registryVersion);
    }

    int releasedShards() {
        return fixture.count("outbox_shard WHERE owner IS NULL");
    }

    boolean isEmpty() {
        return fixture.count("outbox_message") == 0;
    }

    int deadLetters(String handler) {
        return fixture.count("outbox_dead WHERE handler = '" + handler + "'");
    }

    @Override
    public void close() throws SQLException {
        fixture.close();
    }
}
