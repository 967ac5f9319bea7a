package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.OutboxLog;
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
 * The container's threads for the relay: those of the managed executor {@link #EXECUTOR} where the application or the server
 * defines one, otherwise of the server's thread factory. The default executor won't do, because its number of threads
 * differs from server to server.
 *
 * <p>All are called at once, when the web module starts: a thread takes over the context of whoever calls it. With a session
 * bean's context Payara enlists no connections in {@code @Transactional}; and a context that threads share is locked for all
 * of them while one is inside {@code @Transactional}, so each has its own.
 */
@ApplicationScoped
public class RelayThreads {
    private static final String EXECUTOR = "java:app/concurrent/outbox";
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final int FOR_DEAD_LETTERS = 2;
    private static final int TICKS_TO_BEGIN = 5;
    private static final long LOOK_FOR_THE_END_MILLIS = 500;

    @Inject
    OutboxConfig config;

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private volatile ThreadSupply crew;
    private volatile boolean closed;
    private int ticks;

    /** Called in the context that the threads are to have. */
    synchronized void open() {
        if (crew != null || closed) {
            return;
        }
        // workers may be replaced by as many spare ones while they hang
        int count = RelayNode.THREADS + 2 * config.relay().workers() + FOR_DEAD_LETTERS;
        ThreadSupply called = new ThreadSupply(
                this::runTasks,
                Stream.generate(this::threadOfTheFactory).limit(count).toList());
        ownExecutor().ifPresentOrElse(called::callFrom, called::fillUp);
        crew = called;
    }

    /** Called once a second after the opening: what the executor has not begun by now is done by threads of the factory. */
    synchronized void supervise() {
        if (crew != null && ++ticks == TICKS_TO_BEGIN) {
            int missing = crew.fillUp();
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
        } catch (NamingException nobodyDefinedIt) {
            return Optional.empty();
        }
    }

    /** A new factory for each thread: it takes the context when it is looked up. */
    private Thread threadOfTheFactory() {
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
        return crew == null ? Optional.empty() : Optional.of(tasks::add);
    }

    /** Threads end with what they are doing. */
    @PreDestroy
    void close() {
        closed = true;
    }
}
