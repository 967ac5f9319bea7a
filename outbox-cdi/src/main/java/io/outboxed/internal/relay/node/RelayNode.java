package io.outboxed.internal.relay.node;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.RelayStatus;
import io.outboxed.internal.relay.loop.Mailbox;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Acknowledger;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A relay with its threads, the loop, the membership, the acknowledgers and the sampler, and with the workers that call
 * handlers.
 */
public final class RelayNode {
    private static final int ACKNOWLEDGERS = 2;
    /** Loop, membership, sampler, acknowledgers. */
    public static final int THREADS = 3 + ACKNOWLEDGERS;

    private static final Duration LAST_ANSWER = Duration.ofMillis(300);

    private final RelayDependencies dependencies;
    private final CommitSignal signal;
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls;
    private final RunningCalls running;
    private final RelayLoop relay;
    private final Membership membership;
    private final List<Acknowledger> acknowledgers;
    private final BacklogSampler sampler;
    private final MaintenanceSchedule maintenance;
    private final WorkerPool workers;
    private final OutageLog turns = new OutageLog(OutboxLog::turnFailed, OutboxLog::turnsRecovered);
    private final OutageLog beats = new OutageLog(OutboxLog::beatFailed, OutboxLog::beatsRecovered);
    private final RelayThread loop;
    private final RelayThread beating;
    private final List<RelayThread> threads;
    private Runnable stopListening = () -> {};
    private Executor executor;
    private volatile boolean stopping;
    private volatile boolean abandoned;
    private volatile boolean loopIsIdle;
    /** An error has ended a turn: what the loop knows may be wrong. */
    private boolean loopCrashed;

    private volatile int shards;

    /** @param registryVersion the handler registry's version that added the newest of this deployment's handlers */
    public RelayNode(RelayDependencies dependencies, CommitSignal signal, long registryVersion) {
        OutboxConfig.Relay config = dependencies.config().relay();
        this.dependencies = dependencies;
        this.signal = signal;
        long handlers = dependencies.invoker().all().stream()
                .map(key -> key.handler())
                .distinct()
                .count();
        this.calls = new CallQueue(handlers > 1 ? Math.max(1, config.workers() / 2) : config.workers());
        this.running = new RunningCalls(
                this::late,
                dependencies.nanoClock(),
                dependencies.config().handler().timeout());
        LeaseClock leaseClock = new LeaseClock(config.lease(), dependencies.nanoClock(), dependencies.wallMillis());
        this.relay = new RelayLoop(dependencies, mailbox, calls, leaseClock);
        this.membership = new Membership(dependencies, mailbox, relay, leaseClock, registryVersion);
        AckQueues successes = new AckQueues(ACKNOWLEDGERS);
        this.acknowledgers = successes.queues().stream()
                .map(queue -> new Acknowledger(
                        dependencies.store().acks(),
                        queue,
                        config.ackBatchSize(),
                        this::acknowledged,
                        dependencies.nanoClock()))
                .toList();
        Worker worker = new Worker(dependencies, calls, running, leaseClock, successes::add, this::ended);
        this.workers = new WorkerPool(calls, worker, config.workers(), dependencies.nanoClock());
        this.sampler = new BacklogSampler(
                dependencies.store().statistics(),
                dependencies.meters(),
                relay.databaseClock(),
                relay::samples,
                dependencies.config().observe().metrics().backlogInterval(),
                dependencies.nanoClock());
        this.maintenance = new MaintenanceSchedule(
                dependencies.maintenance(), relay::samples, dependencies.meters(), dependencies.nanoClock());
        this.loop = thread("loop", this::turn);
        this.beating = thread("membership", this::beat);
        this.threads = new ArrayList<>(List.of(beating, loop, thread("sampler", this::sample)));
        acknowledgers.forEach(acknowledger -> threads.add(thread("acknowledger", () -> acknowledge(acknowledger))));
    }

    private RelayThread thread(String name, RelayThread.Round round) {
        return new RelayThread(name, round, this::mayEnd, dependencies.nanoClock());
    }

    /**
     * Starts all threads; returns at once.
     *
     * @param newExecutor runs {@link #THREADS} tasks that do not end before the relay
     * @param handlerExecutor runs finite tasks that call handlers; may be the same
     */
    public void start(Executor newExecutor, Executor handlerExecutor) {
        executor = newExecutor;
        stopListening = signal.listen(mailbox::signal);
        show();
        workers.start(handlerExecutor);
        threads.forEach(thread -> thread.start(executor));
    }

    /**
     * Called once a second by the container's timer: restarts threads that have ended, interrupts handlers that exceed
     * their time.
     */
    public void supervise() {
        if (stopping) {
            return;
        }
        threads.forEach(thread -> thread.restartIfEnded(executor));
        int stuck = running.interruptLate();
        dependencies.meters().readings().handlersLate(stuck);
        workers.replaceStuck(stuck);
        // not here: an executor would take over the context of the container's timer
        mailbox.post(workers::fill);
    }

    /**
     * Drains within {@code outbox.relay.drain}: starts nothing more, waits for running calls, releases the idle shards.
     * Shards in which a handler still runs are left to expire: no other node may take them before that handler's lease
     * is over.
     */
    public void stop() {
        stopping = true;
        workers.stop();
        stopListening.run();
        mailbox.post(relay::stop);
        threads.forEach(RelayThread::wake);
        awaitEnd(dependencies.config().relay().drain());
        abandoned = true;
        sampler.end();
        maintenance.end();
        dependencies.meters().hideNode();
        Remains remains = remains();
        try {
            if (membership.leave(remains.idle(), remains.busy() == 0)) {
                OutboxLog.stopped(membership.owner(), remains.idle().size(), remains.busy());
            } else {
                OutboxLog.leavingFailed(membership.owner(), new TimeoutException("its last heartbeat does not end"));
            }
        } catch (StoreException e) {
            OutboxLog.leavingFailed(membership.owner(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            OutboxLog.leavingFailed(membership.owner(), e);
        }
    }

    private void show() {
        dependencies.invoker().all().stream()
                .filter(key -> !key.isOfAnyType())
                .forEach(key -> dependencies.meters().deliveries(key.type(), key.handler()));
        dependencies.meters().readings().handlersRunning(running::count);
        dependencies.meters().showNode();
    }

    /** May be called by any thread at any time. */
    public RelayStatus status() {
        return new RelayStatus(
                membership.owner(),
                shards,
                running.count(),
                loop.progress().sinceMoved(),
                beating.progress().sinceMoved(),
                beating.progress().sinceWorked());
    }

    private Remains remains() {
        CompletableFuture<Remains> answer = new CompletableFuture<>();
        Runnable question = () -> {
            List<Lease> idle = List.copyOf(relay.idleLeases());
            answer.complete(new Remains(idle, relay.busyShards()));
        };
        if (loop.hasEnded()) {
            question.run();
        } else {
            mailbox.post(question);
        }
        try {
            return answer.get(LAST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Remains(List.of(), Integer.MAX_VALUE);
        } catch (ExecutionException | TimeoutException e) {
            OutboxLog.leavingFailed(membership.owner(), e);
            return new Remains(List.of(), Integer.MAX_VALUE);
        }
    }

    private record Remains(List<Lease> idle, int busy) {}

    private void ended(Call call, Outcome outcome) {
        mailbox.post(() -> relay.ended(call, outcome));
    }

    private void late(Call call) {
        calls.late(call);
        mailbox.post(() -> relay.late(call));
    }

    private void acknowledged(List<Call> batch) {
        mailbox.post(() -> relay.acknowledged(batch));
    }

    // ---- the threads' rounds; each returns the time to the next one ----

    private long turn() throws InterruptedException {
        try {
            if (loopCrashed) {
                relay.lostAll();
                loopCrashed = false;
            }
            long wait = relay.turn();
            if (!relay.isHeldUp() && relay.heldShards() > 0) {
                turns.worked();
            }
            loopIsIdle = relay.isIdle();
            shards = relay.heldShards();
            mailbox.await(wait);
            return 0;
        } catch (RuntimeException e) {
            turns.failed(e);
            dependencies.meters().readings().turned(0, true);
            relay.reset();
            return Duration.ofMillis(200).toNanos();
        } catch (Error e) {
            loopCrashed = true;
            membership.crashed();
            OutboxLog.loopCrashed(e);
            dependencies.meters().readings().turned(0, true);
            return Duration.ofMillis(200).toNanos();
        }
    }

    private long beat() {
        try {
            membership.tick();
            beats.worked();
            beating.progress().worked();
        } catch (RuntimeException e) {
            beats.failed(e);
        } catch (Error e) {
            membership.crashed();
            beats.failed(e);
        }
        return membership.interval().toNanos();
    }

    private static long acknowledge(Acknowledger acknowledger) throws InterruptedException {
        return acknowledger.acknowledgeNext(200) ? 0 : Duration.ofMillis(200).toNanos();
    }

    private long sample() {
        return stopping ? Duration.ofMillis(200).toNanos() : Math.min(sampler.round(), maintenance.round());
    }

    private void awaitEnd(Duration drain) {
        long deadline = dependencies.nanoClock().getAsLong() + drain.toNanos();
        for (RelayThread thread : threads) {
            try {
                thread.awaitEnd(Math.max(1, deadline - dependencies.nanoClock().getAsLong()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean mayEnd() {
        return abandoned
                || stopping && workers.isEmpty() && acknowledgers.stream().allMatch(Acknowledger::isIdle) && loopIsIdle;
    }
}
