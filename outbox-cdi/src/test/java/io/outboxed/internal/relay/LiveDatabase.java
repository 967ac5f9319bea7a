package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.JdbcFixture;
import io.outboxed.internal.store.LaneHash;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** The database that live nodes share. */
final class LiveDatabase implements AutoCloseable {
    static final String TYPE = "placed";

    private final JdbcFixture fixture;
    private final Dialect dialect;

    /** In memory. */
    LiveDatabase() throws SQLException {
        this(inMemory("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"), Dialect.H2);
    }

    LiveDatabase(ConnectionSource source, Dialect dialect) throws SQLException {
        this.fixture = new JdbcFixture(source, dialect);
        this.dialect = dialect;
    }

    private static ConnectionSource inMemory(String url) {
        return () -> DriverManager.getConnection(url, "sa", "");
    }

    Dialect dialect() {
        return dialect;
    }

    ConnectionSource source() {
        return fixture.source();
    }

    /** @param registryVersion what the publisher knows of the registry of handlers */
    void publish(int lane, long registryVersion) throws SQLException {
        publish(UUID.randomUUID(), lane, String.valueOf(lane), registryVersion);
    }

    /** As with {@code outbox.order=none}: in a lane of its own. */
    void publishWithoutOrder(String aggregate, long registryVersion) throws SQLException {
        UUID id = UUID.randomUUID();
        publish(id, LaneHash.lane(id), aggregate, registryVersion);
    }

    /** A business transaction that has published, and has not ended. */
    Connection begin(int lane, long registryVersion) throws SQLException {
        Connection business = fixture.open();
        business.setAutoCommit(false);
        insert(new Jdbc(business, dialect), UUID.randomUUID(), lane, String.valueOf(lane), registryVersion);
        return business;
    }

    private void publish(UUID id, long lane, String aggregate, long registryVersion) throws SQLException {
        try (Connection business = fixture.open()) {
            insert(new Jdbc(business, dialect), id, lane, aggregate, registryVersion);
        }
    }

    private static void insert(Jdbc jdbc, UUID id, long lane, String aggregate, long registryVersion)
            throws SQLException {
        jdbc.update(
                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                        + " payload_size, registry_version) VALUES (?, ?, ?, 'order', ?, ?, '{}', 2, ?)",
                id,
                LaneHash.shard(lane),
                lane,
                aggregate,
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
