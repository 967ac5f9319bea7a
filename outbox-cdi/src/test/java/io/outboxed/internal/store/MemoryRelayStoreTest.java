package io.outboxed.internal.store;

/** The simulation's store keeps the same contract as the databases. */
class MemoryRelayStoreTest extends RelayStoreContract {
    @Override
    StoreFixture open() {
        return new MemoryFixture();
    }

    @Override
    void close(StoreFixture opened) {}
}
