package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.time.Duration;

/** Two nodes that claim aggregates by rows. */
class PostgreSqlClaimRowsBigRunTest extends PostgreSqlBigRunTest {

    @Override
    JdbcRelayStore newStore(String node, ConnectionSource source) {
        return JdbcRelayStore.withClaimRows(source, dialect(), prefix(), false, dropped -> {}, Duration.ofSeconds(10));
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }
}
