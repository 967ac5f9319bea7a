package io.outboxed.internal.testkit.standalone;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.node.Membership;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Acknowledger;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.CallReporter;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** A node of the relay without threads: one step at a time is its loop's, its membership's, its worker's, its acknowledger's. */
final class SteppedNode {
    private static final int TICKS_TO_JOIN = 20;
    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);

    private final MovableClock clock;
    private final Duration lease;
    private final BooleanSupplier crashed;
    private final CallQueue calls;
    private final RunningCalls running;
    private final RelayLoop relay;
    private final Membership membership;
    private final Acknowledger acknowledger;
    private final Worker worker;
    private long nextBeat;

    /** @param crashed whether the process has come to its end, as a test has requested */
    SteppedNode(
            RelayStore store,
            HandlerInvoker handlers,
            Notifications notifications,
            OutboxConfig config,
            MovableClock clock,
            BooleanSupplier crashed) {
        this.clock = clock;
        this.lease = config.relay().lease();
        this.crashed = crashed;
        notifications.start(Runnable::run);
        RelayDependencies dependencies = new RelayDependencies(
                store,
                handlers,
                config,
                clock::nanos,
                clock::millis,
                () -> ThreadLocalRandom.current().nextDouble(),
                notifications);
        Mailbox mailbox = new Mailbox();
        LeaseClock leaseClock = new LeaseClock(lease, clock::nanos, clock::millis);
        AckQueues successes = new AckQueues(1);
        this.calls = new CallQueue(1);
        this.relay = new RelayLoop(dependencies, mailbox, calls, leaseClock);
        long version = store.handlers().register(handlers.registrations()).deployment();
        this.membership = new Membership(dependencies, mailbox, relay, leaseClock, version);
        this.acknowledger = new Acknowledger(
                store.acks(),
                successes.queues().get(0),
                config.relay().ackBatch(),
                (batch, outcome) -> mailbox.post(() -> relay.acknowledged(batch, outcome)),
                clock::nanos);
        this.running = new RunningCalls(
                together -> {
                    calls.late(together);
                    mailbox.post(() -> together.forEach(relay::late));
                },
                clock::nanos,
                config.handler().timeout());
        CallReporter reporter = new CallReporter(dependencies, mailbox::post, relay, successes::add);
        this.worker = new Worker(dependencies, calls, running, leaseClock, reporter);
    }

    /** Takes all shards. Those of a node that has crashed are free once it was silent for a lease. */
    void join() {
        for (int tick = 0; tick < TICKS_TO_JOIN; tick++) {
            beat();
            turn();
            if (relay.heldShards() == LaneHash.SHARDS) {
                return;
            }
            clock.skip(lease.dividedBy(3));
        }
        throw new IllegalStateException("the relay holds " + relay.heldShards() + " of " + LaneHash.SHARDS
                + " shards: does something else use this database?");
    }

    /** @return whether a handler was called */
    boolean step() {
        if (clock.nanos() - nextBeat >= 0) {
            beat();
        }
        Duration untilNext = turn();
        boolean worked = false;
        for (Call call = calls.poll(); call != null; call = calls.poll()) {
            worked = true;
            run(call);
            if (crashed.getAsBoolean()) {
                return true;
            }
        }
        acknowledge();
        if (!worked) {
            clock.skip(untilNext);
        }
        return worked;
    }

    private void run(Call first) {
        if (worker.isBatch(first)) {
            worker.runSeries(first);
            return;
        }
        long since = clock.nanos();
        Call next = first;
        while (next != null && !crashed.getAsBoolean()) {
            next = worker.run(next, since);
        }
    }

    /** Whether aggregates of further shards are to be woken after a resume. */
    boolean wakesLanes() {
        return relay.wakesLanes();
    }

    /** Nothing is running, and everything is stored. */
    boolean isIdle() {
        return relay.isIdle() && acknowledger.isIdle();
    }

    /** Called by another thread, while a step may be under way. */
    void supervise() {
        running.interruptLate();
    }

    private void beat() {
        try {
            membership.tick();
        } catch (StoreException e) {
            if (!e.isTransient()) {
                throw e;
            }
        }
        nextBeat = clock.nanos() + membership.interval().toNanos();
    }

    private Duration turn() {
        try {
            return Duration.ofNanos(relay.iterate());
        } catch (StoreException e) {
            relay.reset();
            if (!e.isTransient()) {
                throw e;
            }
            // perhaps a lock of the test's own transaction
            return AFTER_FAILURE;
        }
    }

    private void acknowledge() {
        try {
            acknowledger.acknowledgeNext(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
