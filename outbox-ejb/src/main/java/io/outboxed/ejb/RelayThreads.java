package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Announcements;
import io.outboxed.internal.relay.node.RelayNode;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedExecutors;
import jakarta.enterprise.concurrent.ManagedTask;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The relay's threads, provided by the container: from the managed executor {@link #EXECUTOR} if the application or the
 * server defines one, otherwise from the server's thread factory. The default executor is not suitable, because its
 * number of threads differs from server to server.
 *
 * <p>All are obtained at once, when the web module starts, because a thread takes over the context of its creator. With
 * a session bean's context Payara enlists no connections in {@code @Transactional}; and a context that threads share is
 * locked for all of them while one is inside {@code @Transactional}, so each has its own.
 */
@ApplicationScoped
public class RelayThreads {
    private static final String EXECUTOR = "java:app/concurrent/outbox";
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final int TICKS_TO_BEGIN = 5;
    private static final long END_CHECK_MILLIS = 500;

    @Inject
    OutboxConfig config;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile ThreadSupply supply;
    private volatile boolean closed;
    private int ticks;

    /** To be called in the context that the threads are to have. */
    synchronized void open() {
        if (supply != null || closed) {
            return;
        }
        // spare workers may replace as many workers as are configured while those hang
        int count = RelayNode.THREADS + 2 * config.relay().workers() + Announcements.THREADS;
        ThreadSupply newSupply = new ThreadSupply(
                this::runTasks,
                Stream.generate(this::factoryThread).limit(count).toList());
        ownExecutor().ifPresentOrElse(newSupply::callFrom, newSupply::fillUp);
        supply = newSupply;
    }

    /**
     * Called once a second after the opening: replaces what the executor has not begun by now with threads of the
     * factory.
     */
    synchronized void supervise() {
        if (supply != null && ++ticks == TICKS_TO_BEGIN) {
            int missing = supply.fillUp();
            if (missing > 0) {
                OutboxLog.threadsReplaced(EXECUTOR, missing, THREAD_FACTORY);
            }
        }
    }

    private static Optional<Executor> ownExecutor() {
        try {
            ManagedExecutorService executor = (ManagedExecutorService) new InitialContext().lookup(EXECUTOR);
            return Optional.of(task -> executor.execute(
                    ManagedExecutors.managedTask(task, Map.of(ManagedTask.LONGRUNNING_HINT, "true"), null)));
        } catch (NamingException notDefined) {
            return Optional.empty();
        }
    }

    /** Uses a new factory for each thread, because a factory captures the context when it is looked up. */
    private Thread factoryThread() {
        try {
            return ((ThreadFactory) new InitialContext().lookup(THREAD_FACTORY)).newThread(this::runTasks);
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has no " + THREAD_FACTORY + " (" + e
                            + "): without it the relay has no threads and nothing would be delivered."
                            + " Enable the server's Jakarta Concurrency (on Open Liberty the feature concurrent-3.0)",
                    e);
        }
    }

    private void runTasks() {
        try {
            while (!closed) {
                Runnable task = tasks.poll(END_CHECK_MILLIS, TimeUnit.MILLISECONDS);
                if (task != null) {
                    runAlone(task);
                }
            }
        } catch (InterruptedException e) {
            // the server is ending this thread
            Thread.currentThread().interrupt();
        }
    }

    private static void runAlone(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            OutboxLog.taskFailed(e);
        }
    }

    /** Empty until {@link #open} was called. */
    Optional<Executor> executor() {
        return supply == null ? Optional.empty() : Optional.of(tasks::add);
    }

    /** The threads end once their current work is done. */
    @PreDestroy
    void close() {
        closed = true;
    }
}
