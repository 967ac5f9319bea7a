package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig.Claim;

/** The same, to rows. */
class PostgreSqlChangeToRowsTest extends PostgreSqlChangeOfClaimTest {

    @Override
    Claim next() {
        return Claim.ROW_LOCK;
    }

    @Override
    String nextOwner() {
        return "row-lock";
    }

    @Override
    int messages() {
        return super.messages() / 2;
    }
}
