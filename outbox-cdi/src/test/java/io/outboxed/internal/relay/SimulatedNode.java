package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxMeters;
import io.outboxed.internal.store.LeaseLostException;
import io.outboxed.internal.store.LostMarkException;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A relay without threads: each step is one that a real node's threads could take next. */
final class SimulatedNode {
    private enum Phase {
        MARK,
        HANDLE,
        SETTLE,
        COMMIT
    }

    private static final int WORKERS = 3;

    private final MemoryStore store;
    private final BooleanSupplier databaseIsDown;
    private final SimulatedHandlers handlers;
    private final History history;
    private final Random random;
    private final LongSupplier nanos;
    private final Inbox inbox = new Inbox();
    private final CallQueue calls = new CallQueue(WORKERS);
    private final Relay relay;
    private final Membership membership;
    private final List<Settler> settlers;
    private final Worker worker;
    private final LeaseClock leaseClock;
    private final List<Working> working = new ArrayList<>();
    private long nextTick;
    private boolean ticking;
    private boolean turning;
    /** Does nothing before this time: paused by its garbage collector, its host or its network. */
    long frozenUntil;

    SimulatedNode(
            MemoryStore store,
            BooleanSupplier databaseIsDown,
            Runnable others,
            SimulatedHandlers handlers,
            History history,
            OutboxConfig config,
            Random random,
            LongSupplier nanos,
            long generation,
            OutboxMeters meters) {
        this.store = store;
        this.databaseIsDown = databaseIsDown;
        RelayStore reached = OutageStore.of(store, databaseIsDown, others);
        this.handlers = handlers;
        this.history = history;
        this.random = random;
        this.nanos = nanos;
        RelayParts parts = new RelayParts(
                reached,
                handlers,
                config,
                nanos,
                () -> nanos.getAsLong() / 1_000_000,
                random::nextDouble,
                Runnable::run,
                meters);
        this.leaseClock = new LeaseClock(config.relay().lease(), nanos, parts.wallMillis());
        this.relay = new Relay(parts, inbox, calls, leaseClock);
        this.membership = new Membership(parts, inbox, relay, leaseClock, generation);
        Successes successes = new Successes(2);
        this.settlers = successes.queues().stream()
                .map(queue -> new Settler(reached, queue, 5, batch -> inbox.post(() -> relay.settled(batch)), nanos))
                .toList();
        this.worker = new Worker(
                parts,
                calls,
                new RunningCalls(calls, nanos, config.handler().timeout()),
                leaseClock,
                successes::add,
                inbox,
                relay);
        this.nextTick = nanos.getAsLong();
    }

    void step() {
        if (nanos.getAsLong() >= nextTick && random.nextInt(12) == 0) {
            beat();
            nextTick = nanos.getAsLong() + membership.interval().toNanos();
        }
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> turn();
            case 3 -> settle();
            default -> work();
        }
    }

    boolean isWorking() {
        return !working.isEmpty();
    }

    void signal(int shard) {
        inbox.signal(List.of(shard));
    }

    /** The process dies: its open transactions are rolled back by the database. */
    void crash() {
        working.forEach(each -> each.transaction.rollback());
    }

    /** What another thread of this node may do while its loop or its membership is between two statements. */
    void stepInBetween() {
        if (nanos.getAsLong() < frozenUntil) {
            return;
        }
        if (random.nextBoolean()) {
            work();
        } else if (!ticking) {
            beat();
        } else if (!turning) {
            turn();
        }
    }

    private void beat() {
        try {
            ticking = true;
            membership.tick();
        } catch (StoreException e) {
            nextTick = nanos.getAsLong();
        } finally {
            ticking = false;
        }
    }

    private void turn() {
        turning = true;
        try {
            relay.turn();
        } catch (StoreException | LeaseLostException e) {
            relay.reset();
        } finally {
            turning = false;
        }
    }

    private void settle() {
        try {
            settlers.get(random.nextInt(settlers.size())).settleNext(0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void work() {
        if (working.size() < WORKERS && random.nextBoolean()) {
            Call call = calls.poll();
            if (call != null) {
                begin(call, nanos.getAsLong());
            }
        } else if (!working.isEmpty()) {
            advance(working.get(random.nextInt(working.size())));
        }
    }

    private void begin(Call call, long since) {
        if (!leaseClock.isValid(call.lease()) || call.run().cancelled) {
            worker.make(call, since);
            return;
        }
        requireSoundBeginning(call);
        Working started = new Working(call, store.begin(), since);
        boolean outside = handlers.isOutside(call.delivery().key());
        started.phase = outside ? Phase.HANDLE : Phase.MARK;
        working.add(started);
        if (outside) {
            history.begins(started, call.handler(), call.delivery().head().id(), () -> holds(call));
        }
    }

    /** Stricter than the promises: what a node believes at the very moment of a beginning must be true. */
    private void requireSoundBeginning(Call call) {
        var shard = store.shards().get(call.lease().shard());
        if (!call.lease().owner().equals(shard.owner()) || call.lease().epoch() != shard.epoch()) {
            history.violation("a call began under " + call.lease() + " although the shard was " + shard);
        }
        if (working.stream().anyMatch(each -> each.call.run().lane.key == call.run().lane.key)) {
            history.violation("two calls of lane " + call.run().lane.key + " on one node");
        }
    }

    private void advance(Working each) {
        Delivery delivery = each.call.delivery();
        if (databaseIsDown.getAsBoolean() && each.phase != Phase.HANDLE) {
            // a transaction whose connection is gone is rolled back; whether a commit got through is not known
            if (each.phase == Phase.COMMIT && random.nextBoolean()) {
                each.transaction.commit();
            } else {
                each.transaction.rollback();
            }
            end(each, each.phase == Phase.MARK ? new Outcome.Lost(null) : new Outcome.Unknown(null));
            return;
        }
        try {
            switch (each.phase) {
                case MARK -> {
                    each.transaction.mark(delivery.head());
                    each.phase = Phase.HANDLE;
                    history.begins(each, delivery.handler(), delivery.head().id(), () -> holds(each.call));
                }
                case HANDLE -> handle(each, delivery);
                case SETTLE -> {
                    if (handlers.losesItsMarkInSecret(random)) {
                        each.transaction.rollback();
                    }
                    each.transaction.settle(delivery.head(), delivery.handler(), delivery.how());
                    each.phase = Phase.COMMIT;
                }
                case COMMIT -> {
                    each.transaction.commit();
                    boolean answerLost = random.nextInt(50) == 0;
                    end(each, answerLost ? new Outcome.Unknown(null) : new Outcome.Done(true));
                }
            }
        } catch (MemoryTransaction.BusyException e) {
            each.waits++;
        } catch (LostMarkException e) {
            each.transaction.rollback();
            end(each, new Outcome.Lost(e));
        }
    }

    private void handle(Working each, Delivery delivery) {
        RuntimeException failure = handlers.call(delivery, random);
        if (failure != null) {
            each.transaction.rollback();
            end(each, new Outcome.Failed(failure));
        } else if (handlers.isOutside(delivery.key())) {
            history.succeeded(delivery.handler(), delivery.head().id(), false);
            end(each, new Outcome.Done(false));
        } else {
            each.transaction.enlist(
                    () -> history.succeeded(delivery.handler(), delivery.head().id(), true));
            each.phase = Phase.SETTLE;
        }
    }

    private void end(Working each, Outcome outcome) {
        working.remove(each);
        history.ends(each, each.call.delivery().head().id());
        Call next = worker.report(each.call, outcome, each.since);
        if (next != null) {
            begin(next, each.since);
        }
    }

    private boolean holds(Call call) {
        var shard = store.shards().get(call.lease().shard());
        return call.lease().owner().equals(shard.owner())
                && call.lease().epoch() == shard.epoch()
                && working.stream().anyMatch(each -> each.call == call);
    }

    private static final class Working {
        private final Call call;
        private final MemoryTransaction transaction;
        private final long since;
        private Phase phase;
        private int waits;

        private Working(Call call, MemoryTransaction transaction, long since) {
            this.call = call;
            this.since = since;
            this.transaction = transaction;
        }
    }
}
