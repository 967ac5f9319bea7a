package io.outboxed.ejb;

import io.outboxed.internal.boot.DatabaseWait;
import io.outboxed.internal.boot.RelayExecutors;
import io.outboxed.internal.boot.RelayReporter;
import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.HandlerRegistrar;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJB;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Starts the relay with the application, checks on it once a second and stops it before the application ends. Uses
 * bean-managed transactions, so that the threads it starts can begin their own.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class RelaySupervisor implements HandlerRegistrar {
    private static final long EVERY_SECOND = 1000;
    private static final int TICKS_UNTIL_WARNING = 30;
    private static final int TICKS_FOR_THE_SERVER = 5;
    private static final int SECONDS_FOR_A_TICK = 5;
    private static final int SECONDS_FOR_THE_LAST_TICK = 1;
    private static final long TRY_AGAIN_AFTER = TimeUnit.SECONDS.toNanos(1);

    @Resource
    TimerService timers;

    @EJB
    RolledBackTransactionBean transaction;

    @Inject
    RelayStarter starter;

    @Inject
    RelayThreads threads;

    @Inject
    RelayReporter reporter;

    @Inject
    ServerName server;

    private final ReentrantLock oneAtATime = new ReentrantLock();
    private final DatabaseWait databaseWait = new DatabaseWait();
    private final SupervisionTimes times;
    private Optional<RelayNode> node = Optional.empty();
    private volatile State state = State.WAITING;
    private volatile Optional<FailedTry> lastFailed = Optional.empty();
    private int ticksWithoutThreads;
    private int ticksWithoutServer;

    private enum State {
        /** Waits for the database, and for the web module to start. */
        WAITING,
        STARTED,
        STOPPED
    }

    private record FailedTry(RuntimeException failure, long at) {
        boolean isRecent() {
            return System.nanoTime() - at < TRY_AGAIN_AFTER;
        }
    }

    public RelaySupervisor() {
        this(System::nanoTime, System::currentTimeMillis);
    }

    RelaySupervisor(LongSupplier nanoClock, LongSupplier wallMillis) {
        times = new SupervisionTimes(this::superviseAlone, nanoClock, wallMillis);
    }

    /**
     * A wrong schema or configuration fails the deployment; a database that is down does not: the relay starts when it
     * answers.
     */
    @PostConstruct
    void begin() {
        try {
            threads.usedBy(this::stop);
            startOrWait();
            timers.createIntervalTimer(EVERY_SECOND, EVERY_SECOND, new TimerConfig("outbox relay", false));
            // last: what is above does not hold the lock
            threads.checkedBy(times::check);
        } catch (RuntimeException | Error e) {
            // the container does not call end() on a bean that could not begin
            endAfter(e);
            throw e;
        }
    }

    private void endAfter(Throwable failure) {
        try {
            end();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Called for an event that is published before the timer has run. The container creates this bean first, and has
     * suspended the caller's transaction. That may hold a connection, which the checks need as well, so a publisher does
     * not repeat all checks when one has just failed.
     */
    @Override
    public Optional<RuntimeException> prepare() {
        Optional<RuntimeException> known = recentFailure();
        if (known.isPresent()) {
            return known;
        }
        try {
            if (!oneAtATime.tryLock(SECONDS_FOR_A_TICK, TimeUnit.SECONDS)) {
                return Optional.of(new IllegalStateException("the database does not answer"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(new IllegalStateException("interrupted", e));
        }
        try {
            // another thread may have tried while this one waited
            known = recentFailure();
            if (known.isEmpty()) {
                prepareStart();
            }
            return known;
        } catch (RuntimeException e) {
            return Optional.of(e);
        } finally {
            oneAtATime.unlock();
        }
    }

    private Optional<RuntimeException> recentFailure() {
        return lastFailed.filter(FailedTry::isRecent).map(FailedTry::failure);
    }

    private void prepareStart() {
        try {
            starter.prepare(this::rolledBack);
            lastFailed = Optional.empty();
        } catch (RuntimeException e) {
            lastFailed = Optional.of(new FailedTry(e, System.nanoTime()));
            throw e;
        }
    }

    @Timeout
    void tick() {
        times.timerTicks();
    }

    /** A tick may come while the previous one still waits for the database. */
    private void superviseAlone() {
        if (oneAtATime.tryLock()) {
            try {
                superviseOrStart();
            } catch (RuntimeException | Error e) {
                // Payara removes a timer whose callback has failed twice
                OutboxLog.supervisionFailed(e);
            } finally {
                oneAtATime.unlock();
            }
        }
    }

    private void superviseOrStart() {
        try {
            threads.supervise();
        } finally {
            // threads that can't be started now are no reason to leave the others alone
            switch (state) {
                case WAITING -> startOrWait();
                case STARTED -> supervise();
                case STOPPED -> {}
            }
        }
    }

    private void supervise() {
        synchronized (this) {
            if (state == State.STARTED) {
                node.ifPresent(RelayNode::supervise);
            }
        }
        reporter.tick(node);
    }

    private void startOrWait() {
        try {
            prepareStart();
            if (starter.relays()) {
                threads.executors().ifPresentOrElse(this::start, this::waitForThreads);
            } else {
                startWithoutRelay();
            }
        } catch (StoreException e) {
            if (!e.isTransient()) {
                throw e;
            }
            databaseWait.failed(e);
        }
    }

    private void rolledBack(RolledBackTransaction.Work work) throws Exception {
        Optional<Exception> failure = transaction.run(work);
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private void waitForThreads() {
        reporter.check();
        if (++ticksWithoutThreads == TICKS_UNTIL_WARNING) {
            OutboxLog.noWebContext(TICKS_UNTIL_WARNING);
        }
    }

    private synchronized void start(RelayExecutors executors) {
        if (state != State.STOPPED) {
            node = Optional.of(starter.start(executors));
            started(executors.handlersRunOn());
        }
    }

    /** No threads are needed. A listener of the web module, if there is one, soon tells the server for the report. */
    private synchronized void startWithoutRelay() {
        boolean mayReport = server.get().isPresent() || ticksWithoutServer++ >= TICKS_FOR_THE_SERVER;
        if (state != State.STOPPED && mayReport) {
            started("none");
        }
    }

    private void started(String handlersRunOn) {
        state = State.STARTED;
        reporter.started(node, server.get().orElse("unknown"), handlersRunOn);
    }

    /** A tick may wait for a database that does not answer: what it begins after that has no effect any more. */
    private void stop() {
        boolean alone = false;
        try {
            alone = oneAtATime.tryLock(SECONDS_FOR_THE_LAST_TICK, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            stopNode();
        } finally {
            if (alone) {
                oneAtATime.unlock();
            }
        }
    }

    /** Waits for running calls, at most {@code outbox.relay.drain}. */
    private synchronized void stopNode() {
        if (state != State.STOPPED) {
            state = State.STOPPED;
            reporter.stopped();
            node.ifPresent(RelayNode::stop);
        }
    }

    /** In an application without a web module, or if it could not be started, nothing has stopped the relay before. */
    @PreDestroy
    void end() {
        try {
            stop();
        } finally {
            try {
                threads.close();
            } finally {
                ApplicationDrivers.deregister();
            }
        }
    }
}
