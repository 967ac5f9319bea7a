package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig.Claim;
import org.junit.jupiter.api.Tag;

/** Two nodes that claim aggregates by rows. */
@Tag("mysql")
class MySqlClaimRowsBigRunTest extends MySqlBigRunTest {

    @Override
    Claim claimOf(String node) {
        return Claim.ROW_LOCK;
    }

    @Override
    int messages() {
        return Integer.getInteger("bigrun.messages", 4_000);
    }
}
