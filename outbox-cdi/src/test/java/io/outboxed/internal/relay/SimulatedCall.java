package io.outboxed.internal.relay;

import io.outboxed.internal.relay.workers.BatchCalls;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MemoryTransaction;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** One call on a worker, step by step as {@code HandlerCall} makes it: of one event, or of several as a batch. */
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
    private final List<Delivery> deliveries;
    private final boolean outside;
    private final BooleanSupplier holdsLease;
    private final MemoryTransaction transaction;
    final Call call;
    /** Null for a call that is no part of a batch. */
    final BatchCalls batch;
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
    private int claimed;
    /** The database has closed its connection. */
    private boolean isCut;

    SimulatedCall(
            SimulatedEnvironment world,
            SimulatedHandlers handlers,
            List<Call> calls,
            BatchCalls batch,
            long since,
            BooleanSupplier holdsLease) {
        this.world = world;
        this.handlers = handlers;
        this.call = calls.get(0);
        this.batch = batch;
        this.since = since;
        this.holdsLease = holdsLease;
        this.deliveries = calls.stream().map(Call::delivery).toList();
        this.outside = handlers.mode(call.delivery().key()).isOutside();
        this.transaction = world.store().begin();
        this.phase = outside ? Phase.BEGIN : Phase.CLAIM;
        this.deaf = world.random().nextBoolean();
        this.pickedAt = world.now();
        this.readyAt = pickedAt;
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    boolean isOfSeveral() {
        return deliveries.size() > 1;
    }

    /** Those that are not claimed yet. */
    List<Delivery> unclaimed() {
        return deliveries.subList(claimed, deliveries.size());
    }

    boolean hasBegun() {
        return phase != Phase.CLAIM && phase != Phase.BEGIN;
    }

    boolean holdsLease() {
        return holdsLease.getAsBoolean();
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

    /** As a database does with a connection that is silent for too long. */
    void cut() {
        transaction.rollback();
        isCut = true;
    }

    /** @return how it ended; null: not yet */
    Outcome step() {
        if ((isCut || world.databaseIsDown())
                && (phase == Phase.CLAIM || phase == Phase.ACKNOWLEDGE || phase == Phase.COMMIT)) {
            return cutOff();
        }
        try {
            return switch (phase) {
                case CLAIM -> claim();
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
        if (phase == Phase.COMMIT && !isCut && world.random().nextBoolean()) {
            transaction.commit();
        } else {
            transaction.rollback();
        }
        return phase == Phase.CLAIM ? new Outcome.Lost(noAnswer()) : new Outcome.Unknown(noAnswer());
    }

    /** Others may go on between two claims. */
    private Outcome claim() {
        transaction.claim(deliveries.get(claimed).head());
        claimed++;
        return claimed < deliveries.size() ? null : begin();
    }

    private Outcome begin() {
        phase = Phase.HANDLE;
        List<UUID> ids =
                deliveries.stream().map(delivery -> delivery.head().id()).toList();
        if (handlers.all().contains(SimulatedDeployment.FIRST_OF_A_GROUP)) {
            ids.forEach(id -> world.history().comesAfterEarly(call.handler(), id));
        }
        world.history().begins(this, call.handler(), ids, holdsLease);
        long takes = 0;
        for (Delivery delivery : deliveries) {
            takes = Math.max(takes, world.begins(delivery, holdsLease.getAsBoolean()));
        }
        readyAt = takes == Actor.NEVER ? Actor.NEVER : world.now() + takes;
        return null;
    }

    private Outcome handle() {
        RuntimeException failure = interrupted;
        for (int i = 0; i < deliveries.size() && failure == null; i++) {
            failure = failure(deliveries.get(i));
        }
        if (failure != null) {
            transaction.rollback();
            return new Outcome.Failed(failure);
        }
        if (outside) {
            world.history().succeeded(call.handler(), call.delivery().head().id(), !world.mayRepeatOutsideCalls());
            return new Outcome.Done(false);
        }
        for (Delivery delivery : deliveries) {
            transaction.enlist(() -> {
                world.history().succeeded(delivery.handler(), delivery.head().id(), true);
                world.answered(delivery);
            });
        }
        phase = Phase.ACKNOWLEDGE;
        return null;
    }

    private RuntimeException failure(Delivery delivery) {
        return world.spoils(delivery)
                ? new IllegalStateException("not again")
                : handlers.call(delivery, world.random());
    }

    private Outcome acknowledge() {
        if (handlers.silentlyLosesItsClaim(world.random())) {
            transaction.rollback();
        }
        for (Delivery delivery : deliveries) {
            transaction.acknowledge(delivery.head(), delivery.handler(), delivery.ackMode());
        }
        phase = Phase.COMMIT;
        return null;
    }

    private Outcome commit() {
        if (deliveries.stream().anyMatch(handlers::refusesCommit)) {
            transaction.rollback();
            return new Outcome.Unknown(new IllegalStateException("rolled back"));
        }
        if (world.losesCommit(call.delivery())) {
            transaction.rollback();
            return new Outcome.Done(true);
        }
        transaction.commit();
        return handlers.losesItsAnswer(world.random()) ? new Outcome.Unknown(noAnswer()) : new Outcome.Done(true);
    }

    private static Exception noAnswer() {
        return new IllegalStateException("no answer");
    }
}
