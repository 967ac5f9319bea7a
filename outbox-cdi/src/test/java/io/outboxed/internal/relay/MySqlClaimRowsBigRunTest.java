package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;

/** Two nodes that claim aggregates by rows. */
class MySqlClaimRowsBigRunTest extends MySqlBigRunTest {

    @Override
    JdbcRelayStore newStore(String node, ConnectionSource source) {
        return JdbcRelayStore.withClaimRows(source, dialect(), prefix(), false, dropped -> {});
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }
}
