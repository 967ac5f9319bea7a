package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A relay with its threads: the loop, the membership, the settlers and the workers, all on the executor it is given. */
public final class RelayNode {
    private static final long WORKER_WAIT = Duration.ofMillis(200).toNanos();
    private static final int SETTLERS = 2;
    /** Threads besides the workers: loop, membership, sampler, settlers. */
    public static final int STRANDS = 3 + SETTLERS;

    private static final Duration LAST_ANSWER = Duration.ofMillis(300);

    private final RelayParts parts;
    private final CommitSignal signal;
    private final Inbox inbox = new Inbox();
    private final CallQueue calls;
    private final RunningCalls running;
    private final Relay relay;
    private final Membership membership;
    private final List<Settler> settlers;
    private final BacklogSampler sampler;
    private final Worker worker;
    private final int workers;
    private final Outage turns = new Outage(OutboxLog::turnFailed, OutboxLog::turnsWorkAgain);
    private final Outage beats = new Outage(OutboxLog::beatFailed, OutboxLog::beatsWorkAgain);
    private final AtomicInteger workersAlive = new AtomicInteger();
    private final Strand loop;
    private final Strand beating;
    private final List<Strand> strands;
    private Runnable stopListening = () -> {};
    private Executor executor;
    private volatile boolean stopping;
    private volatile boolean abandoned;
    private volatile boolean loopIsIdle;
    private volatile int wantedWorkers;
    private volatile int shards;

    /** @param generation the handler registry's version after this deployment's handlers were registered */
    public RelayNode(RelayParts parts, CommitSignal signal, long generation) {
        this.parts = parts;
        this.signal = signal;
        this.workers = parts.config().relay().workers();
        long handlers = parts.deliveries().all().stream()
                .map(key -> key.handler())
                .distinct()
                .count();
        this.calls = new CallQueue(handlers > 1 ? Math.max(1, workers / 2) : workers);
        this.running = new RunningCalls(
                this::late, parts.nanoClock(), parts.config().handler().timeout());
        LeaseClock leaseClock = new LeaseClock(parts.config().relay().lease(), parts.nanoClock(), parts.wallMillis());
        this.relay = new Relay(parts, inbox, calls, leaseClock);
        this.membership = new Membership(parts, inbox, relay, leaseClock, generation);
        Successes successes = new Successes(SETTLERS);
        this.settlers = successes.queues().stream()
                .map(queue -> new Settler(
                        parts.store(), queue, parts.config().relay().batchSize(), this::settled, parts.nanoClock()))
                .toList();
        this.worker = new Worker(parts, calls, running, leaseClock, successes::add, inbox, relay);
        this.sampler = new BacklogSampler(
                parts.store(),
                parts.meters(),
                relay.databaseClock(),
                relay::samples,
                parts.config().observe().metrics().backlogInterval(),
                parts.nanoClock());
        this.wantedWorkers = workers;
        this.loop = new Strand("loop", this::turn);
        this.beating = new Strand("membership", this::beat);
        this.strands = new ArrayList<>(List.of(beating, loop, new Strand("sampler", this::sample)));
        settlers.forEach(settler -> strands.add(new Strand("settler", () -> settle(settler))));
    }

    /** Starts all threads; returns at once. */
    public void start(Executor newExecutor) {
        executor = newExecutor;
        stopListening = signal.listen(inbox::signal);
        show();
        strands.forEach(Strand::start);
        hireWorkers();
    }

    /** Once a second from the container's timer: restarts what has ended, interrupts handlers past their time. */
    public void supervise() {
        if (stopping) {
            return;
        }
        strands.forEach(Strand::restartIfEnded);
        int stuck = running.interruptLate();
        parts.meters().readings().callsLate(stuck);
        wantedWorkers = workers + Math.min(stuck, workers);
        if (stuck > workers) {
            OutboxLog.workersStuck(stuck);
        }
        hireWorkers();
    }

    /**
     * Drains within {@code outbox.relay.drain}: starts nothing more, waits for what runs, gives the idle shards back. Shards
     * in which a handler still runs are left to lapse: nobody may take them before that handler's lease is over.
     */
    public void stop() {
        stopping = true;
        stopListening.run();
        inbox.post(relay::stop);
        strands.forEach(strand -> strand.pause.release());
        awaitEnd(parts.config().relay().drain());
        abandoned = true;
        sampler.end();
        parts.meters().hideNode();
        Remains remains = remains();
        try {
            if (membership.leave(remains.idle(), remains.busy() == 0)) {
                OutboxLog.stopped(membership.owner(), remains.idle().size(), remains.busy());
            } else {
                OutboxLog.leavingFailed(membership.owner(), new TimeoutException("its last beat does not end"));
            }
        } catch (StoreException e) {
            OutboxLog.leavingFailed(membership.owner(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            OutboxLog.leavingFailed(membership.owner(), e);
        }
    }

    private void show() {
        parts.deliveries().all().forEach(key -> parts.meters().deliveries(key.type(), key.handler()));
        parts.meters().readings().callsRunning(running::count);
        parts.meters().showNode();
    }

    /** Any thread may ask at any time. */
    public NodeVitals vitals() {
        return new NodeVitals(
                membership.owner(),
                shards,
                running.count(),
                loop.pulse.sinceMoved(),
                beating.pulse.sinceMoved(),
                beating.pulse.sinceWorked());
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
            inbox.post(question);
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

    private void late(Call call) {
        calls.late(call);
        inbox.post(() -> relay.late(call));
    }

    private void settled(List<Call> batch) {
        inbox.post(() -> relay.settled(batch));
    }

    // ---- the strands' rounds; each returns the time to the next one ----

    private long turn() {
        try {
            long wait = relay.turn();
            if (!relay.isHeldUp() && relay.heldShards() > 0) {
                turns.worked();
            }
            loopIsIdle = relay.isIdle();
            shards = relay.heldShards();
            inbox.await(wait);
            return 0;
        } catch (InterruptedException e) {
            throw new Interrupted(e);
        } catch (RuntimeException e) {
            turns.failed(e);
            parts.meters().readings().turned(0, true);
            relay.reset();
            return Duration.ofMillis(200).toNanos();
        }
    }

    private long beat() {
        try {
            membership.tick();
            beats.worked();
            beating.pulse.worked();
        } catch (RuntimeException e) {
            beats.failed(e);
        }
        return membership.interval().toNanos();
    }

    private long settle(Settler settler) {
        try {
            return settler.settleNext(200) ? 0 : Duration.ofMillis(200).toNanos();
        } catch (InterruptedException e) {
            throw new Interrupted(e);
        }
    }

    private long sample() {
        return stopping ? Duration.ofMillis(200).toNanos() : sampler.round();
    }

    private void hireWorkers() {
        while (workersAlive.get() < wantedWorkers) {
            workersAlive.incrementAndGet();
            executor.execute(this::work);
        }
    }

    private void work() {
        try {
            while (!stopping && workersAlive.get() <= wantedWorkers) {
                Call call = calls.take(WORKER_WAIT);
                long since = parts.nanoClock().getAsLong();
                while (call != null) {
                    call = worker.make(call, since);
                }
            }
        } catch (InterruptedException e) {
            OutboxLog.workerInterrupted(e);
        } finally {
            workersAlive.decrementAndGet();
        }
    }

    private void awaitEnd(Duration drain) {
        long deadline = parts.nanoClock().getAsLong() + drain.toNanos();
        for (Strand strand : strands) {
            try {
                strand.ended.await(Math.max(1, deadline - parts.nanoClock().getAsLong()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private boolean mayEnd() {
        return abandoned
                || stopping && workersAlive.get() == 0 && settlers.stream().allMatch(Settler::isIdle) && loopIsIdle;
    }

    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Interrupted(InterruptedException cause) {
            super(cause);
        }
    }

    /** A thread's endless work, cut into rounds. */
    private final class Strand {
        private final String name;
        private final LongSupplier round;
        private final Semaphore pause = new Semaphore(0);
        private final Pulse pulse = new Pulse(parts.nanoClock());
        private volatile CountDownLatch ended = new CountDownLatch(0);

        private Strand(String name, LongSupplier round) {
            this.name = name;
            this.round = round;
        }

        private void start() {
            ended = new CountDownLatch(1);
            executor.execute(this::run);
        }

        private boolean hasEnded() {
            return ended.getCount() == 0;
        }

        private void restartIfEnded() {
            if (hasEnded()) {
                OutboxLog.strandRestarted(name);
                start();
            }
        }

        private void run() {
            CountDownLatch mine = ended;
            try {
                while (!mayEnd()) {
                    long wait = round.getAsLong();
                    pulse.moved();
                    if (wait > 0 && pause.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
                        pause.drainPermits();
                    }
                }
            } catch (InterruptedException | Interrupted e) {
                OutboxLog.strandInterrupted(name, e);
            } finally {
                mine.countDown();
            }
        }
    }
}
