package io.outboxed.internal.relay;

import io.outboxed.internal.store.cluster.ClaimStrategy;
import org.junit.jupiter.api.Tag;

/** Two nodes that claim aggregates by rows. */
@Tag("mysql")
class MySqlClaimRowsBigRunTest extends MySqlBigRunTest {

    @Override
    ClaimStrategy claimOf(String node) {
        return ClaimStrategy.ROW_LOCK;
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }
}
