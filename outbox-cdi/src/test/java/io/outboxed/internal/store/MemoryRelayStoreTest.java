package io.outboxed.internal.store;

/** The simulation's store keeps the same contract as the databases. */
class MemoryRelayStoreTest extends RelayStoreContract {
    @Override
    StoreBench open() {
        return new MemoryBench();
    }

    @Override
    void close(StoreBench opened) {}
}
