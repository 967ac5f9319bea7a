package io.outboxed.internal.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What a relay relies on, whatever holds the rows. */
abstract class RelayStoreContract
        implements MembershipContract,
                ReadingContract,
                FactsContract,
                DecisionsContract,
                WaitsContract,
                TakeoverContract,
                HeldRowsContract,
                BacklogContract {
    private StoreBench bench;
    private Lease lease;

    abstract StoreBench open() throws Exception;

    abstract void close(StoreBench opened) throws Exception;

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
    public StoreBench bench() {
        return bench;
    }

    @Override
    public Lease lease() {
        return lease;
    }
}
