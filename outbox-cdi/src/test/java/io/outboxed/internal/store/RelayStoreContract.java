package io.outboxed.internal.store;

import io.outboxed.internal.store.cluster.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What a relay relies on, whatever holds the rows. */
abstract class RelayStoreContract
        implements MembershipContract,
                ReadingContract,
                AcksContract,
                FencedWritesContract,
                RepeatedDecisionsContract,
                LostCommitsContract,
                DecisionsTogetherContract,
                WaitsContract,
                TakeoverContract,
                HeldRowsContract,
                BatchContract,
                BacklogContract {
    private StoreFixture bench;
    private Lease lease;

    abstract StoreFixture open() throws Exception;

    abstract void close(StoreFixture opened) throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        bench = open();
        lease = takeShard(SHARD, "me");
    }

    @AfterEach
    final void closeStore() throws Exception {
        close(bench);
    }

    @Override
    public StoreFixture bench() {
        return bench;
    }

    @Override
    public Lease lease() {
        return lease;
    }
}
