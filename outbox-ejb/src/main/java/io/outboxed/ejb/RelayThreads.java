package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxLog;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The container's threads for the relay: those of the application's executor {@link #OWN_EXECUTOR}, else of the library's
 * {@link #LIBRARY_EXECUTOR}, else new ones of the server's thread factory. Payara 6 binds a definition only where a class of
 * the WAR itself carries it, so not the one of {@link OutboxResources}; the default executor is no way out, since how many
 * threads one has differs from server to server.
 *
 * <p>All threads begin at once, when the web module does: a thread takes over the context of whoever starts it. With a
 * session bean's context Payara enlists no connections in {@code @Transactional}; and a context that threads share is
 * locked for all of them while one is inside {@code @Transactional}, so each has its own.
 */
@ApplicationScoped
public class RelayThreads {
    /** Of the application, where it defines one; not the library's name, because WildFly refuses two definitions of one name. */
    private static final String OWN_EXECUTOR = "java:app/concurrent/outbox";

    static final String LIBRARY_EXECUTOR = "java:app/concurrent/outboxed";
    static final String LIBRARY_CONTEXT = "java:app/concurrent/outboxed-context";
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final int STRANDS = 4;
    private static final int FOR_DEAD_LETTERS = 2;
    private static final int START_SECONDS = 5;
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
        int started = startOn(OWN_EXECUTOR, count);
        if (started < count) {
            started += startOn(LIBRARY_EXECUTOR, count - started);
        }
        if (started < count) {
            OutboxLog.ownThreads(OWN_EXECUTOR, started, count, THREAD_FACTORY);
            ThreadFactory factory = threadFactory();
            for (int i = started; i < count; i++) {
                factory.newThread(this::runTasks).start();
            }
        }
        open = true;
    }

    /**
     * @return how many have really begun: in an application that is deployed while the server runs, Payara 6.2025.10 hands
     *     out an executor whose threads fail before they run anything (its context's applicationRegistry is null)
     */
    private int startOn(String name, int count) {
        CountDownLatch missing = new CountDownLatch(count);
        try {
            ManagedExecutorService executor = (ManagedExecutorService) new InitialContext().lookup(name);
            for (int i = 0; i < count; i++) {
                executor.execute(() -> {
                    missing.countDown();
                    runTasks();
                });
            }
            missing.await(START_SECONDS, TimeUnit.SECONDS);
        } catch (NamingException notBound) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return count - (int) missing.getCount();
    }

    private static ThreadFactory threadFactory() {
        try {
            return (ThreadFactory) new InitialContext().lookup(THREAD_FACTORY);
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has neither " + OWN_EXECUTOR + " nor " + THREAD_FACTORY
                            + ": the relay has no threads. Define an executor of the first name in the server",
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
