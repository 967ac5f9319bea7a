package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.node.Membership;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Acknowledger;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.CallReporter;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A relay without threads: each step is one that a real node's threads could take next. */
final class SimulatedNode implements Actor {
    private static final long AFTER_FAILURE = Duration.ofMillis(200).toNanos();
    private static final long SUPERVISED = Duration.ofSeconds(1).toNanos();
    private static final long WHILE_HELD = Duration.ofMillis(20).toNanos();
    private static final int ACKNOWLEDGERS = 2;

    private final SimulatedEnvironment world;
    private final OutboxConfig config;
    private final SimulatedConnection connection;

    private final Mailbox mailbox = new Mailbox();
    private final MailboxView mail = new MailboxView(mailbox);
    private final RelayLoop relay;
    private final Membership membership;
    private final LeaseClock leaseClock;
    private final List<Acknowledger> acknowledgers;
    private final SimulatedWorkers workers;
    private final SimulatedThread loop;
    private final SimulatedThread beating;
    private final List<SimulatedThread> acknowledging;
    private final List<SimulatedThread> threads = new ArrayList<>();
    private boolean gone;
    private boolean stopping;
    private boolean leaving;
    private long stopsAt;
    private long suspendedAt = NEVER;
    private long stoodStill;
    /** Does nothing before this time: paused by its garbage collector, its host or its network. */
    long frozenUntil;
    /** Runs an older version, whose handlers the deployment has replaced. */
    boolean outdated;

    SimulatedNode(
            SimulatedEnvironment world,
            SimulatedHandlers handlers,
            OutboxConfig config,
            long registryVersion,
            OutboxMeters meters) {
        this.world = world;
        this.config = config;
        this.connection = new SimulatedConnection(world, this);
        RelayDependencies parts = new RelayDependencies(
                connection.store(),
                handlers,
                config,
                this::nanos,
                () -> world.now() / 1_000_000,
                world.random()::nextDouble,
                new Notifications() {},
                meters,
                List.of());
        RelayStore store = parts.store();
        int count = config.relay().workers();
        CallQueue calls = CallQueue.between(handlers.all(), count);
        this.leaseClock = new LeaseClock(config.relay().lease(), this::nanos, parts.wallMillis());
        this.relay = new RelayLoop(parts, mailbox, calls, leaseClock);
        this.membership = new Membership(parts, mailbox, relay, leaseClock, registryVersion);
        AckQueues successes = new AckQueues(ACKNOWLEDGERS);
        int batch = config.relay().ackBatch();
        this.acknowledgers = successes.queues().stream()
                .map(queue -> new Acknowledger(
                        store.acks(),
                        queue,
                        batch,
                        (acknowledged, outcome) -> mailbox.post(() -> relay.acknowledged(acknowledged, outcome)),
                        this::nanos))
                .toList();
        RunningCalls running =
                new RunningCalls(calls::late, this::nanos, config.handler().timeout());
        CallReporter reporter = new CallReporter(parts, mailbox::post, relay, call -> succeeded(successes, call));
        Worker worker = new Worker(parts, calls, running, leaseClock, reporter);
        this.workers = new SimulatedWorkers(
                world,
                handlers,
                calls,
                worker,
                leaseClock,
                count,
                config.handler().timeout(),
                call -> {
                    calls.late(List.of(call));
                    mailbox.post(() -> relay.late(call));
                },
                () -> world.amidBatch(this));
        this.loop = thread(this::turn);
        this.beating = thread(this::beat);
        thread(() -> {
            workers.supervise();
            return SUPERVISED;
        });
        this.acknowledging = acknowledgers.stream()
                .map(acknowledger -> thread(() -> acknowledge(acknowledger)))
                .toList();
    }

    private SimulatedThread thread(LongSupplier round) {
        SimulatedThread thread = new SimulatedThread(world::now, round);
        threads.add(thread);
        return thread;
    }

    @Override
    public long dueAt() {
        if (gone || leaving) {
            return NEVER;
        }
        if (frozenUntil > world.now()) {
            return frozenUntil;
        }
        wakeLoop();
        long dueAt = workers.dueAt();
        for (SimulatedThread thread : threads) {
            dueAt = Math.min(dueAt, thread.dueAt());
        }
        return stopping ? Math.min(dueAt, stopsAt) : dueAt;
    }

    @Override
    public void step() {
        if (stopping && (world.now() >= stopsAt || hasDrained())) {
            unlessGone(this::leave);
            return;
        }
        wakeLoop();
        long now = world.now();
        List<Runnable> ready = new ArrayList<>();
        for (SimulatedThread thread : threads) {
            if (thread.dueAt() <= now) {
                ready.add(thread::run);
            }
        }
        if (workers.dueAt() <= now) {
            ready.add(workers::step);
        }
        if (ready.isEmpty()) {
            return;
        }
        unlessGone(ready.get(world.random().nextInt(ready.size())));
    }

    private static void unlessGone(Runnable step) {
        try {
            step.run();
        } catch (SimulatedConnection.Gone e) {
            // crash() has marked it
        }
    }

    boolean isGone() {
        return gone;
    }

    boolean isStopping() {
        return stopping;
    }

    SimulatedWorkers workers() {
        return workers;
    }

    SimulatedConnection connection() {
        return connection;
    }

    /** Whether it trusts its leases with good reason: its clock has never stood still. */
    boolean isHealthy(String owner) {
        return !gone
                && suspendedAt == NEVER
                && stoodStill == 0
                && owner.equals(membership.owner())
                && leaseClock.isValid();
    }

    void signal(int shard) {
        mailbox.signal(List.of(shard));
    }

    /** The process dies: its open transactions are rolled back by the database. */
    void crash() {
        gone = true;
        workers.crash();
        if (world.noticesDeath()) {
            connection.loseSession();
        }
    }

    /** The machine is suspended: its monotonic clock stands still meanwhile. */
    void suspend(long nanos) {
        frozenUntil = Math.max(frozenUntil, world.now() + nanos);
        suspendedAt = world.now();
    }

    /** Drains and leaves, as when its application is undeployed. */
    void stop() {
        stopping = true;
        stopsAt = world.now() + config.relay().drain().toNanos();
        mailbox.post(relay::stop);
    }

    private boolean hasDrained() {
        return workers.isIdle()
                && acknowledgers.stream().allMatch(Acknowledger::isIdle)
                && !mail.hasMail()
                && !loop.isUnderWay()
                && relay.isIdle();
    }

    private void leave() {
        leaving = true;
        try {
            if (!beating.isUnderWay()) {
                List<Lease> idle = loop.isUnderWay() ? List.of() : List.copyOf(relay.idleLeases());
                membership.leave(idle, !loop.isUnderWay() && relay.busyShards() == 0);
            }
        } catch (StoreException | InterruptedException e) {
            // it is declared dead after its lease
        }
        crash();
    }

    /** Asked only while it runs. */
    private long nanos() {
        if (suspendedAt != NEVER) {
            stoodStill += world.now() - suspendedAt;
            suspendedAt = NEVER;
        }
        return world.now() - stoodStill;
    }

    private void wakeLoop() {
        if (mail.hasMail()) {
            loop.wake();
        }
    }

    private void succeeded(AckQueues successes, Call call) {
        successes.add(call);
        acknowledging.forEach(thread -> thread.wakeIn(world.untilAcknowledged()));
    }

    private long turn() {
        try {
            return relay.iterate();
        } catch (RuntimeException e) {
            if (!(e instanceof StoreException || e instanceof LeaseLostException)) {
                world.history().violation("a turn failed: " + e);
            }
            relay.reset();
            return AFTER_FAILURE;
        } finally {
            workers.wake();
        }
    }

    private long beat() {
        try {
            membership.tick();
        } catch (StoreException e) {
            // the next one may get through
        }
        long interval = membership.interval().toNanos();
        return interval + world.random().nextLong(interval);
    }

    private long acknowledge(Acknowledger acknowledger) {
        try {
            boolean reached = acknowledger.acknowledgeNext(0);
            return acknowledger.isIdle() ? NEVER : reached ? WHILE_HELD : AFTER_FAILURE;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
