package io.outboxed.internal.relay;

import io.outboxed.internal.relay.workers.BatchCalls;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** The workers of a simulated node, and what its supervisor does about calls that take too long. */
final class SimulatedWorkers implements Actor {
    private static final long POLL_INTERVAL = Duration.ofMillis(20).toNanos();

    private final SimulatedEnvironment world;
    private final SimulatedHandlers handlers;
    private final CallQueue calls;
    private final Worker worker;
    private final LeaseClock leaseClock;
    private final int workers;
    private final long timeout;
    private final Consumer<Call> late;
    private final Runnable amidBatch;
    private final List<SimulatedCall> working = new ArrayList<>();
    private final List<SimulatedCall> ready = new ArrayList<>();
    private int wanted;
    private long pollAt;

    SimulatedWorkers(
            SimulatedEnvironment world,
            SimulatedHandlers handlers,
            CallQueue calls,
            Worker worker,
            LeaseClock leaseClock,
            int workers,
            Duration timeout,
            Consumer<Call> late,
            Runnable amidBatch) {
        this.world = world;
        this.handlers = handlers;
        this.calls = calls;
        this.worker = worker;
        this.leaseClock = leaseClock;
        this.workers = workers;
        this.timeout = timeout.toNanos();
        this.wanted = workers;
        this.late = late;
        this.amidBatch = amidBatch;
    }

    @Override
    public long dueAt() {
        long due = working.size() < wanted ? pollAt : NEVER;
        for (SimulatedCall each : working) {
            due = Math.min(due, each.readyAt);
        }
        return due;
    }

    /** Calls may have been queued. */
    void wake() {
        pollAt = world.now();
    }

    boolean isIdle() {
        return working.isEmpty();
    }

    @Override
    public void step() {
        long now = world.now();
        ready.clear();
        for (SimulatedCall each : working) {
            if (each.readyAt <= now) {
                ready.add(each);
            }
        }
        boolean mayPoll = working.size() < wanted && pollAt <= now;
        int which = world.random().nextInt(ready.size() + (mayPoll ? 1 : 0));
        if (which < ready.size()) {
            advance(ready.get(which));
        } else {
            take();
        }
    }

    /** The container's timer: interrupts late calls and adds spare workers for those that stay stuck. */
    void supervise() {
        int stuck = 0;
        for (SimulatedCall each : working) {
            if (world.now() - each.pickedAt > timeout) {
                stuck++;
                if (!each.isLate) {
                    each.isLate = true;
                    late.accept(each.call);
                    each.interrupt();
                }
            }
        }
        wanted = workers + Math.min(stuck, workers);
    }

    /** Messages whose calls hang. */
    List<UUID> hanging() {
        return working.stream()
                .filter(SimulatedCall::hangs)
                .map(each -> each.call.delivery().head().id())
                .toList();
    }

    /** Calls that have begun and not ended, as their node knows. */
    List<Call> running() {
        return working.stream()
                .filter(SimulatedCall::hasBegun)
                .map(each -> each.call)
                .toList();
    }

    void release() {
        working.forEach(SimulatedCall::release);
    }

    /** The process dies: its open transactions are rolled back by the database, once that has noticed. */
    void crash() {
        working.stream().filter(SimulatedCall::holdsLease).forEach(each -> world.diedRunning(each.deliveries()));
        List<SimulatedCall> open = List.copyOf(working);
        working.clear();
        world.onceNoticed(() -> open.forEach(SimulatedCall::rollback));
    }

    /** The database closes all connections with open transactions. */
    void cut() {
        working.forEach(SimulatedCall::cut);
    }

    /** What calls with several events are still to claim. */
    List<Delivery> unclaimed() {
        return working.stream()
                .filter(SimulatedCall::isOfSeveral)
                .flatMap(each -> each.unclaimed().stream())
                .toList();
    }

    private void take() {
        Call call = calls.poll();
        if (call == null) {
            pollAt = world.now() + POLL_INTERVAL;
        } else if (worker.isBatch(call)) {
            goOn(worker.batch(call));
        } else {
            begin(call, world.now());
        }
    }

    private void begin(Call call, long since) {
        if (!call.mayBegin(leaseClock)) {
            worker.run(call, since);
            return;
        }
        requireSoundBeginning(call);
        working.add(new SimulatedCall(world, handlers, List.of(call), null, since, () -> holds(call)));
    }

    private void goOn(BatchCalls batch) {
        List<Call> next = batch.next();
        if (next.isEmpty()) {
            return;
        }
        Call first = next.get(0);
        if (!first.mayBegin(leaseClock)) {
            batch.ended(new Outcome.NotBegun());
            return;
        }
        requireSoundBeginning(first);
        if (next.size() > 1) {
            world.goTogether(next.stream().map(Call::delivery).toList());
        }
        working.add(new SimulatedCall(world, handlers, next, batch, world.now(), () -> holds(first)));
    }

    /** Stricter than the promises: what a node believes at the moment a call begins must be true. */
    private void requireSoundBeginning(Call call) {
        if (!world.store().holds(call.lease())) {
            world.history()
                    .violation("a call began under " + call.lease() + " although the shard was "
                            + world.store().shards().all().get(call.lease().shard()));
        }
        if (working.stream().anyMatch(each -> laneOf(each.call) == laneOf(call))) {
            world.history().violation("two calls of lane " + laneOf(call) + " on one node");
        }
    }

    private static long laneOf(Call call) {
        return call.delivery().head().lane();
    }

    private void advance(SimulatedCall each) {
        Outcome outcome = each.step();
        if (outcome == null) {
            if (each.isOfSeveral()) {
                amidBatch.run();
            }
            return;
        }
        working.remove(each);
        wake();
        each.deliveries()
                .forEach(delivery -> world.history().ends(each, delivery.head().id()));
        if (each.batch != null) {
            endedInBatch(each, outcome);
            return;
        }
        world.ended(each.call.delivery(), outcome);
        Call next = worker.report(each.call, outcome, each.since);
        if (next != null) {
            begin(next, each.since);
        }
    }

    private void endedInBatch(SimulatedCall each, Outcome outcome) {
        each.batch.ended(outcome);
        List<Delivery> deliveries = each.deliveries();
        boolean done = outcome instanceof Outcome.Done;
        boolean repeated = !done && each.isOfSeveral() && !each.batch.next().isEmpty();
        for (int i = 0; i < deliveries.size(); i++) {
            if (done || i == 0 && !repeated) {
                world.ended(deliveries.get(i), outcome);
            } else if (each.hasBegun()) {
                world.notReached(deliveries.get(i));
            }
        }
        goOn(each.batch);
    }

    private boolean holds(Call call) {
        return world.store().holds(call.lease()) && working.stream().anyMatch(each -> each.call == call);
    }
}
