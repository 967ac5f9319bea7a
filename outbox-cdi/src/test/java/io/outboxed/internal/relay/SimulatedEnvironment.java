package io.outboxed.internal.relay;

import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What a simulated node encounters: its database, the time, and what goes wrong around it. */
interface SimulatedEnvironment {
    MemoryStore store();

    /** Nanoseconds of the simulation; the database's clock shows them too. */
    long now();

    Random random();

    History history();

    /** In which a node claims lanes; empty: by its shards. */
    default Optional<MemoryLockSession> lockSession() {
        return Optional.empty();
    }

    /** Whether nodes claim lanes by rows. */
    default boolean hasClaimRows() {
        return false;
    }

    /** Whether the server notices at once that a node has died, and ends its session. */
    default boolean noticesDeath() {
        return true;
    }

    /** When the server has noticed that a node has died. */
    default void onceNoticed(Runnable rollback) {
        rollback.run();
    }

    /** Whether something may happen that makes an outside handler's success unknown to the relay. */
    default boolean mayRepeatOutsideCalls() {
        return true;
    }

    default boolean databaseIsDown() {
        return false;
    }

    /** A node is about to call the store: others may continue, the call may fail, the node may freeze or die. */
    default void before(SimulatedNode node, String call) {}

    /** The store has answered. */
    default void after(SimulatedNode node, String call, Object[] arguments, Object result) {}

    /**
     * A handler is called.
     *
     * @param holdsLease whether its node is still the shard's owner: a zombie begins what it was about to begin
     * @return for how long
     */
    default long begins(Delivery delivery, boolean holdsLease) {
        return random().nextInt(6) * 1_000_000L;
    }

    /** How long a success waits for an acknowledger. */
    default long untilAcknowledged() {
        return 0;
    }

    /** Whether this call fails, whatever its handler would do. */
    default boolean spoils(Delivery delivery) {
        return false;
    }

    /** Whether the database loses the commit of this call, which its node has counted. */
    default boolean losesCommit(Delivery delivery) {
        return false;
    }

    /** A call with several events has made a step. */
    default void amidBatch(SimulatedNode node) {}

    /** It was called with others, and the call was not that of its own try. */
    default void notReached(Delivery delivery) {}

    /** Its transaction has committed. */
    default void answered(Delivery delivery) {}

    /** Several are about to be called at once. */
    default void goTogether(List<Delivery> deliveries) {}

    /** Their node has died while it held the lease. */
    default void diedRunning(List<Delivery> deliveries) {}

    /** Its try has ended, and what follows is not decided yet. */
    default void ended(Delivery delivery, Outcome outcome) {}
}
