package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** Nodes with shards are replaced under load by one that claims aggregates by locks. */
class MySqlChangeOfClaimTest extends MySqlBigRunTest {
    private static final Set<String> WITH_SHARDS = Set.of("first", "second");

    @Override
    JdbcRelayStore newStore(String node, ConnectionSource source) {
        return WITH_SHARDS.contains(node)
                ? super.newStore(node, source)
                : JdbcRelayStore.withLaneLocks(source, dialect(), prefix(), false, dropped -> {}, lease());
    }

    @Override
    void amidSecondHalf(AutoCloseable first) throws Exception {
        first.close();
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }

    @AfterEach
    @Override
    void end() {
        long shared = count(source(), "SELECT COUNT(*) FROM outbox_shard WHERE owner = 'advisory-lock'");
        super.end();
        assertThat(shared).as("shards that nodes with locks share").isEqualTo(64);
    }
}
