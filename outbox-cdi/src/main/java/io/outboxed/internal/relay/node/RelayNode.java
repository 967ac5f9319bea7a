package io.outboxed.internal.relay.node;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.RelayStatus;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Acknowledger;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.CallReporter;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A relay with its threads, the loop, the membership, the acknowledgers and the sampler, and with the workers that call
 * handlers.
 */
public final class RelayNode {
    private static final int ACKNOWLEDGERS = 2;
    /** Loop, membership, sampler, acknowledgers. */
    public static final int THREADS = 3 + ACKNOWLEDGERS;

    private final RelayDependencies dependencies;
    private final CommitSignal signal;
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls;
    private final RunningCalls running;
    private final RelayLoop loop;
    private final Membership membership;
    private final List<Acknowledger> acknowledgers;
    private final Worker worker;
    private final WorkerPool workers;
    private final LoopRound loopRound;
    private final MembershipRound membershipRound;
    private final MaintenanceRound maintenanceRound;
    private final RelayThread loopThread;
    private final List<RelayThread> threads;
    /** Those that a stop waits for: the sampler's statements may take long, and deliver nothing. */
    private final List<RelayThread> delivering;

    private final Shutdown shutdown;
    private Runnable stopListening = () -> {};
    private Executor executor;

    /** @param registryVersion the handler registry's version that added the newest of this deployment's handlers */
    public RelayNode(RelayDependencies dependencies, CommitSignal signal, long registryVersion) {
        OutboxConfig.Relay config = dependencies.config().relay();
        this.dependencies = dependencies;
        this.signal = signal;
        this.calls = CallQueue.between(dependencies.invoker().all(), config.workers());
        this.running = new RunningCalls(
                this::late,
                dependencies.nanoClock(),
                dependencies.config().handler().timeout());
        LeaseClock leaseClock = new LeaseClock(config.lease(), dependencies.nanoClock(), dependencies.wallMillis());
        this.loop = new RelayLoop(dependencies, mailbox, calls, leaseClock);
        this.membership = new Membership(dependencies, mailbox, loop, leaseClock, registryVersion);
        AckQueues successes = new AckQueues(ACKNOWLEDGERS);
        this.acknowledgers = successes.queues().stream()
                .map(queue -> new Acknowledger(
                        dependencies.store().acks(),
                        queue,
                        config.ackBatch(),
                        this::acknowledged,
                        dependencies.nanoClock()))
                .toList();
        CallReporter reporter = new CallReporter(dependencies, mailbox::post, loop, successes::add);
        this.worker = new Worker(dependencies, calls, running, leaseClock, reporter);
        this.workers = new WorkerPool(calls, worker, config.workers(), dependencies.nanoClock());
        this.shutdown = new Shutdown(loop, mailbox, membership, dependencies.nanoClock());
        this.loopRound = new LoopRound(dependencies, loop, mailbox, membership);
        this.membershipRound = new MembershipRound(membership, dependencies.nanoClock());
        this.maintenanceRound = new MaintenanceRound(dependencies, loop, shutdown::hasBegun);
        this.loopThread = thread("loop", loopRound);
        this.delivering = new ArrayList<>(List.of(thread("membership", membershipRound), loopThread));
        acknowledgers.forEach(each -> delivering.add(thread("acknowledger", () -> acknowledge(each))));
        this.threads = new ArrayList<>(delivering);
        threads.add(thread("sampler", maintenanceRound));
    }

    private RelayThread thread(String name, RelayThread.Round round) {
        return new RelayThread(name, round, this::mayEnd);
    }

    /**
     * Starts all threads; returns at once. If one can't be started, stops the others.
     *
     * @param newExecutor runs {@link #THREADS} tasks that do not end before the relay
     * @param handlerExecutor runs finite tasks that call handlers; may be the same
     */
    public void start(Executor newExecutor, Executor handlerExecutor) {
        executor = newExecutor;
        try {
            dependencies.notifications().start(executor);
            stopListening = signal.listen(mailbox::signal);
            show();
            workers.start(handlerExecutor);
            threads.forEach(thread -> thread.start(executor));
        } catch (RuntimeException | Error e) {
            stopAfter(e);
            throw e;
        }
    }

    private void stopAfter(Throwable failure) {
        try {
            stop();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Called once a second, by the container's timer or in its place: restarts threads that have ended, interrupts
     * handlers that exceed their time, reports calls whose outcome an error has lost.
     */
    public void supervise() {
        if (shutdown.hasBegun()) {
            return;
        }
        threads.forEach(thread -> thread.restartIfEnded(executor));
        int stuck = running.interruptLate();
        dependencies.meters().readings().handlersLate(stuck);
        workers.replaceStuck(stuck);
        // not here: an executor would take over the context of the container's timer
        mailbox.post(workers::fill);
        worker.reportLost();
        maintenanceRound.hideIfStale();
    }

    /**
     * Drains within {@code outbox.relay.drain}: starts nothing more, waits for running calls, releases the idle shards.
     * Then it interrupts the calls that still run: a call that hangs would keep a thread of the server and the classes
     * of the application. Observers of dead letters and failure handlers have what is left of the time; the shards do not
     * wait for them.
     */
    public void stop() {
        long begin = dependencies.nanoClock().getAsLong();
        shutdown.begin();
        workers.stop();
        stopListening.run();
        mailbox.post(loop::stop);
        threads.forEach(RelayThread::wake);
        try {
            shutdown.drain(delivering, dependencies.config().relay().drain());
            maintenanceRound.end();
            dependencies.meters().hideNode();
            shutdown.leave(loopThread);
        } finally {
            running.interruptAll();
            Duration used = Duration.ofNanos(dependencies.nanoClock().getAsLong() - begin);
            dependencies
                    .notifications()
                    .end(dependencies.config().relay().drain().minus(used));
        }
    }

    private void show() {
        for (HandlerKey handler : dependencies.invoker().all()) {
            dependencies.invoker().all().stream()
                    .filter(key -> !key.isOfAnyType() && (handler.isOfAnyType() || key.equals(handler)))
                    .forEach(key -> dependencies.meters().deliveries(key.type(), handler.handler()));
        }
        dependencies.meters().readings().handlersRunning(running::count);
        dependencies.meters().showNode();
    }

    /** May be called by any thread at any time. */
    public RelayStatus status() {
        return new RelayStatus(
                membership.owner(),
                loopRound.shards(),
                running.count(),
                workers.exhaustedFor(),
                loopRound.liveness().sinceCompleted(),
                membershipRound.liveness().sinceCompleted(),
                membershipRound.liveness().sinceSucceeded(),
                loop.pauses());
    }

    private void late(List<Call> together) {
        calls.late(together);
        mailbox.post(() -> together.forEach(loop::late));
    }

    private void acknowledged(List<Call> batch, Outcome outcome) {
        mailbox.post(() -> loop.acknowledged(batch, outcome));
    }

    /** While stopping, one thread may have to do the work of all. */
    private long acknowledge(Acknowledger acknowledger) throws InterruptedException {
        long waitMillis = shutdown.hasBegun() ? 10 : 200;
        return acknowledger.acknowledgeNext(waitMillis)
                ? 0
                : Duration.ofMillis(200).toNanos();
    }

    private boolean mayEnd() {
        return shutdown.drainIsOver()
                || workers.hasEnded() && acknowledgers.stream().allMatch(Acknowledger::isIdle) && loopRound.wasIdle();
    }
}
