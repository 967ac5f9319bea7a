package io.outboxed.internal.relay;

import io.outboxed.internal.store.cluster.ClaimStrategy;

/** Two nodes that claim aggregates by rows. */
class PostgreSqlClaimRowsBigRunTest extends PostgreSqlBigRunTest {

    @Override
    ClaimStrategy claimOf(String node) {
        return ClaimStrategy.ROW_LOCK;
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }
}
