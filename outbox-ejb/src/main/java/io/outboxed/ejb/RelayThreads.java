package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxLog;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The container's threads for the relay, from the server's thread factory. Not from an executor: its threads are meant for
 * tasks that end. On Open Liberty they are those of the whole server, and none begins before the application has started; on
 * Payara an executor of the application's own runs nothing after a redeployment.
 *
 * <p>All threads begin at once, when the web module does: a thread takes over the context of whoever starts it. With a
 * session bean's context Payara enlists no connections in {@code @Transactional}; and a context that threads share is
 * locked for all of them while one is inside {@code @Transactional}, so each has its own.
 */
@ApplicationScoped
public class RelayThreads {
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final int STRANDS = 4;
    private static final int FOR_DEAD_LETTERS = 2;
    private static final long LOOK_FOR_THE_END_MILLIS = 500;

    @Inject
    OutboxConfig config;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile boolean open;
    private volatile boolean closed;

    /** Called in the context that the threads are to have. */
    synchronized void open() {
        if (open || closed) {
            return;
        }
        // workers may be replaced by as many spare ones while they hang
        int count = STRANDS + 2 * config.relay().workers() + FOR_DEAD_LETTERS;
        for (int i = 0; i < count; i++) {
            threadFactory().newThread(this::runTasks).start();
        }
        open = true;
    }

    /** A new one for each thread: a factory takes the context when it is looked up, and threads may not share one. */
    private static ThreadFactory threadFactory() {
        try {
            return (ThreadFactory) new InitialContext().lookup(THREAD_FACTORY);
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has no " + THREAD_FACTORY + " (" + e
                            + "): the relay has no threads, so nothing would be delivered."
                            + " Enable the server's Jakarta Concurrency (on Open Liberty the feature concurrent-3.0)",
                    e);
        }
    }

    private void runTasks() {
        try {
            while (!closed) {
                Runnable task = tasks.poll(LOOK_FOR_THE_END_MILLIS, TimeUnit.MILLISECONDS);
                if (task != null) {
                    runAlone(task);
                }
            }
        } catch (InterruptedException e) {
            // the server ends this thread
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

    /** Empty until they are opened. */
    Optional<Executor> executor() {
        return open ? Optional.of(tasks::add) : Optional.empty();
    }

    /** Threads end with what they are doing. */
    @PreDestroy
    void close() {
        closed = true;
    }
}
