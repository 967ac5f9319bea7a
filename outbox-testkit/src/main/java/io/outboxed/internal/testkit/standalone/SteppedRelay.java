package io.outboxed.internal.testkit.standalone;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.Pauses;
import io.outboxed.internal.testkit.ObservedCalls;
import io.outboxed.internal.testkit.RelayDriver;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The relay of a test without a server. It works on one thread of its own, and only while the test waits for it. */
final class SteppedRelay implements RelayDriver, ObservedCalls.CrashPoint, AutoCloseable {
    private static final long BETWEEN_CHECKS = 50;
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration JOINS_WITHIN = Duration.ofMinutes(1);

    private final ExecutorService thread = Executors.newSingleThreadExecutor(SteppedRelay::newThread);
    private final MovableClock clock = new MovableClock();
    private final JtaDataSource dataSource;
    private final NodeFactory nodes;
    private final RedeliveryRuns runs;
    private final Optional<String> noCrash;
    private final BooleanSupplier anyPaused;
    private volatile SteppedNode node;
    private volatile Thread worker;
    private volatile boolean crashed;
    private volatile IllegalStateException missed;
    private volatile String running = "";

    interface NodeFactory {
        SteppedNode create(MovableClock clock, BooleanSupplier crashed);
    }

    /**
     * @param noCrash why a crash can't be shown
     * @param anyPaused whether an aggregate waits for the resume of something, or to be woken after it
     */
    SteppedRelay(
            JtaDataSource dataSource,
            NodeFactory nodes,
            RedeliveryRuns runs,
            Optional<String> noCrash,
            BooleanSupplier anyPaused) {
        this.dataSource = dataSource;
        this.nodes = nodes;
        this.runs = runs;
        this.noCrash = noCrash;
        this.anyPaused = anyPaused;
    }

    private static Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "outbox relay of the test");
        thread.setDaemon(true);
        return thread;
    }

    /** With a database in which no node has been. */
    void startAnew() {
        if (!await(thread.submit(this::join), JOINS_WITHIN)) {
            throw new IllegalStateException("the relay has not started within " + JOINS_WITHIN + running);
        }
    }

    /** Of what a test has given up: a call that was interrupted then would otherwise end in the next test. */
    void awaitEnd() {
        if (!await(thread.submit(() -> true), JOINS_WITHIN)) {
            throw new IllegalStateException("a call of an earlier test has not ended within " + JOINS_WITHIN + running);
        }
    }

    private Boolean join() {
        worker = Thread.currentThread();
        crashed = false;
        missed = null;
        node = nodes.create(clock, () -> crashed);
        node.join();
        return true;
    }

    @Override
    public boolean runUntil(BooleanSupplier done, Duration limit) {
        running = "";
        long begun = System.nanoTime();
        return await(thread.submit((Callable<Boolean>) () -> work(done, begun, limit)), limit.plus(GRACE));
    }

    /** The first step is taken even if nothing is due: only the relay notices that something is paused or resumed. */
    private boolean work(BooleanSupplier done, long begun, Duration limit) {
        clock.skip(Pauses.BETWEEN_READS);
        while (step() || !node.isIdle() || !done.getAsBoolean()) {
            if (thread.isShutdown() || System.nanoTime() - begun > limit.toNanos()) {
                return false;
            }
        }
        return true;
    }

    /** @return whether it may go on: after a resume, each step wakes the aggregates of one shard only */
    private boolean step() {
        boolean worked = node.step();
        if (missed != null) {
            throw missed;
        }
        if (crashed) {
            join();
        }
        return worked || node.wakesLanes() && anyPaused.getAsBoolean();
    }

    private boolean await(Future<Boolean> work, Duration limit) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return work.get(BETWEEN_CHECKS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (node != null) {
                    node.supervise();
                }
                if (System.nanoTime() - begun > limit.toNanos()) {
                    running = stack();
                    work.cancel(true);
                    return false;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("the relay has failed", e.getCause());
            } catch (InterruptedException | CancellationException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the relay was working", e);
            }
        }
    }

    private String stack() {
        return Arrays.stream(worker.getStackTrace())
                .limit(20)
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining("", "\nThe relay is still at work, and was interrupted:", ""));
    }

    @Override
    public boolean letsTimePass() {
        return false;
    }

    @Override
    public void advanced(Duration time) {
        clock.skip(time);
    }

    @Override
    public String running() {
        return running;
    }

    @Override
    public Optional<String> noCrash() {
        return noCrash;
    }

    @Override
    public void verifyRedelivery(Runnable scenario, Supplier<?> state) {
        noCrash.ifPresent(why -> {
            throw new UnsupportedOperationException(why);
        });
        runs.verify(scenario, state);
    }

    @Override
    public Outcome crashAfter(Delivery delivery, Supplier<Outcome> handler) {
        dataSource.crashAtCommit();
        Outcome outcome = handler.get();
        crashed = dataSource.endCrash();
        if (!crashed && outcome instanceof Outcome.Done done) {
            // no transaction has recorded the success of an outside handler, or of a fallback
            crashed = !done.acknowledged();
            missed = crashed ? null : missed(delivery);
        }
        return crashed ? new Outcome.Unknown(new ProcessCrash()) : outcome;
    }

    /** For the test's thread: on this one it would count as a call whose end is unknown. */
    private static IllegalStateException missed(Delivery delivery) {
        return new IllegalStateException(
                delivery.handler() + " was to crash, but its transaction was committed: the kit has not seen the"
                        + " claim at its beginning. This is a fault of the kit");
    }

    @Override
    public boolean hasCrashed() {
        return crashed;
    }

    private static final class ProcessCrash extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private ProcessCrash() {
            super("the test has requested that the process crashes");
        }
    }

    /** Waits for a call that still runs: otherwise it would go on in the database of the next class. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(JOINS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("a call of this class has not ended within " + JOINS_WITHIN + stack());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a call of this class had not ended" + stack(), e);
        }
    }
}
