package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.store.KillableSessions;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Two nodes that claim aggregates by locks, one of which loses its session. */
@Tag("mysql")
class MySqlLocksBigRunTest extends MySqlBigRunTest {
    private final List<KillableSessions> nodes = new ArrayList<>();

    @Override
    JdbcRelayStore newStore(String node, ConnectionSource source) {
        KillableSessions sessions = new KillableSessions(source, dialect());
        nodes.add(sessions);
        return newStore(ClaimStrategy.ADVISORY_LOCK, sessions);
    }

    /** Longer than a call takes here, so that none outlives a lost session by it. */
    @Override
    Duration lease() {
        return Duration.ofSeconds(15);
    }

    @Override
    void amid() throws SQLException {
        nodes.get(0).kill();
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }
}
