package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/** Nodes with shards are replaced under load by one that claims aggregates by locks. */
class PostgreSqlChangeOfClaimTest extends PostgreSqlBigRunTest {
    private static final Set<String> WITH_SHARDS = Set.of("first", "second");

    ClaimStrategy next() {
        return ClaimStrategy.ADVISORY_LOCK;
    }

    /** Of the shards that its nodes share. */
    String nextOwner() {
        return "advisory-lock";
    }

    @Override
    ClaimStrategy claimOf(String node) {
        return WITH_SHARDS.contains(node) ? ClaimStrategy.SHARDS : next();
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
        long shared = count(source(), "SELECT COUNT(*) FROM outbox_shard WHERE owner = '" + nextOwner() + "'");
        super.end();
        assertThat(shared).as("shards that nodes with the new claim share").isEqualTo(64);
    }
}
