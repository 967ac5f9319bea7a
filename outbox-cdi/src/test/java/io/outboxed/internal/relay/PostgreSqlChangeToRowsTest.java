package io.outboxed.internal.relay;

import io.outboxed.internal.store.cluster.ClaimStrategy;

/** The same, to rows. */
class PostgreSqlChangeToRowsTest extends PostgreSqlChangeOfClaimTest {

    @Override
    ClaimStrategy next() {
        return ClaimStrategy.ROW_LOCK;
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
