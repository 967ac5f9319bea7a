package io.outboxed.internal.relay;

import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MemoryTransaction;
import java.util.function.BooleanSupplier;

/** One call on a worker, step by step as {@code HandlerCall} makes it. */
final class SimulatedCall {
    private static final long LOCK_WAIT = 5_000_000;

    private enum Phase {
        CLAIM,
        BEGIN,
        HANDLE,
        ACKNOWLEDGE,
        COMMIT
    }

    private final SimulatedEnvironment world;
    private final SimulatedHandlers handlers;
    private final Delivery delivery;
    private final boolean outside;
    private final BooleanSupplier holdsLease;
    private final MemoryTransaction transaction;
    final Call call;
    /** When the first call of its sequence began. */
    final long since;

    final long pickedAt;
    /** Ignores an interrupt. */
    private final boolean deaf;

    private Phase phase;
    long readyAt;
    /** It was reported as late and interrupted, which happens once. */
    boolean isLate;

    private RuntimeException interrupted;

    SimulatedCall(
            SimulatedEnvironment world, SimulatedHandlers handlers, Call call, long since, BooleanSupplier holdsLease) {
        this.world = world;
        this.handlers = handlers;
        this.call = call;
        this.since = since;
        this.holdsLease = holdsLease;
        this.delivery = call.delivery();
        this.outside = handlers.isOutside(delivery.key());
        this.transaction = world.store().begin();
        this.phase = outside ? Phase.BEGIN : Phase.CLAIM;
        this.deaf = world.random().nextBoolean();
        this.pickedAt = world.now();
        this.readyAt = pickedAt;
    }

    boolean hangs() {
        return readyAt == Actor.NEVER;
    }

    /** What it was waiting for answers at last. */
    void release() {
        if (hangs()) {
            readyAt = world.now();
        }
    }

    void interrupt() {
        if (phase == Phase.HANDLE && !deaf) {
            interrupted = new IllegalStateException("interrupted");
            readyAt = world.now();
        }
    }

    void rollback() {
        transaction.rollback();
    }

    /** @return how it ended; null: not yet */
    Outcome step() {
        if (world.databaseIsDown() && (phase == Phase.CLAIM || phase == Phase.ACKNOWLEDGE || phase == Phase.COMMIT)) {
            return cutOff();
        }
        try {
            return switch (phase) {
                case CLAIM -> {
                    transaction.claim(delivery.head());
                    yield begin();
                }
                case BEGIN -> begin();
                case HANDLE -> handle();
                case ACKNOWLEDGE -> acknowledge();
                case COMMIT -> commit();
            };
        } catch (MemoryTransaction.BusyException e) {
            readyAt = world.now() + LOCK_WAIT;
            return null;
        } catch (ClaimLostException e) {
            transaction.rollback();
            return new Outcome.Lost(e);
        }
    }

    /** A transaction whose connection is gone is rolled back; whether a commit got through is not known. */
    private Outcome cutOff() {
        if (phase == Phase.COMMIT && world.random().nextBoolean()) {
            transaction.commit();
        } else {
            transaction.rollback();
        }
        return phase == Phase.CLAIM ? new Outcome.Lost(null) : new Outcome.Unknown(null);
    }

    private Outcome begin() {
        phase = Phase.HANDLE;
        world.history().begins(this, delivery.handler(), delivery.head().id(), holdsLease);
        long takes = world.begins(delivery, holdsLease.getAsBoolean());
        readyAt = takes == Actor.NEVER ? Actor.NEVER : world.now() + takes;
        return null;
    }

    private Outcome handle() {
        RuntimeException failure = interrupted != null
                ? interrupted
                : world.spoils(delivery)
                        ? new IllegalStateException("not again")
                        : handlers.call(delivery, world.random());
        if (failure != null) {
            transaction.rollback();
            return new Outcome.Failed(failure);
        }
        if (outside) {
            world.history().succeeded(delivery.handler(), delivery.head().id(), false);
            return new Outcome.Done(false);
        }
        transaction.enlist(() ->
                world.history().succeeded(delivery.handler(), delivery.head().id(), true));
        phase = Phase.ACKNOWLEDGE;
        return null;
    }

    private Outcome acknowledge() {
        if (handlers.silentlyLosesItsClaim(world.random())) {
            transaction.rollback();
        }
        transaction.acknowledge(delivery.head(), delivery.handler(), delivery.how());
        phase = Phase.COMMIT;
        return null;
    }

    private Outcome commit() {
        if (handlers.refusesCommit(delivery)) {
            transaction.rollback();
            return new Outcome.Unknown(null);
        }
        transaction.commit();
        return handlers.losesItsAnswer(world.random()) ? new Outcome.Unknown(null) : new Outcome.Done(true);
    }
}
