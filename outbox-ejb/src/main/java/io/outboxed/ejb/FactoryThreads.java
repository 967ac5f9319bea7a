package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.concurrent.ManageableThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * A number of threads that run tasks, each with a context of its own: a context that threads share is locked for all of
 * them while one is inside {@code @Transactional}.
 */
final class FactoryThreads implements Executor {
    static final String FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final long IDLE_MILLIS = 500;
    /** Between two tries to wait for a task without the memory for that. */
    private static final long WITHOUT_MEMORY_NANOS = Duration.ofMillis(100).toNanos();

    private final BlockingQueue<Runnable> tasks;
    private final Runnable whenIdle;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    FactoryThreads(int count, Function<Runnable, Thread> newThread) {
        this(count, newThread, new LinkedBlockingQueue<>(), () -> {});
    }

    /** @param whenIdle runs twice a second on each thread that has no task */
    FactoryThreads(int count, Function<Runnable, Thread> newThread, BlockingQueue<Runnable> tasks, Runnable whenIdle) {
        this.tasks = tasks;
        this.whenIdle = whenIdle;
        try {
            while (threads.size() < count) {
                threads.add(Objects.requireNonNull(newThread.apply(this::runTasks), FACTORY + " made no thread"));
            }
        } catch (RuntimeException | Error e) {
            try {
                close();
            } catch (RuntimeException | Error closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /** Threads with the caller's context, not yet started. */
    static FactoryThreads ofServer(int count) {
        return new FactoryThreads(count, FactoryThreads::newThread);
    }

    /** One such thread, which runs this twice a second. */
    static FactoryThreads ofServerThatRepeats(Runnable work) {
        return new FactoryThreads(1, FactoryThreads::newThread, new LinkedBlockingQueue<>(), work);
    }

    /** Uses a new factory for each thread, because a factory captures the context when it is looked up. */
    private static Thread newThread(Runnable work) {
        try {
            return ((ThreadFactory) new InitialContext().lookup(FACTORY)).newThread(work);
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has no " + FACTORY + " (" + e
                            + "): without it the relay has no threads and nothing would be delivered."
                            + " Enable the server's Jakarta Concurrency (on Open Liberty the feature concurrent-3.0)",
                    e);
        }
    }

    /** Starts those that have not been started, for example because there was no memory for one. */
    synchronized void start() {
        threads.stream().filter(thread -> thread.getState() == Thread.State.NEW).forEach(Thread::start);
    }

    int count() {
        return threads.size();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /**
     * The threads end once their current work is done. Those that were never started run now, to end at once: a server
     * lists the threads of its factory until they end, and with them the classes of the application.
     */
    void close() {
        closed = true;
        startAll(threads.iterator());
    }

    /** One that can't be started, for lack of memory or because its context is gone, does not hold up the others. */
    private synchronized void startAll(Iterator<Thread> left) {
        if (left.hasNext()) {
            Thread thread = left.next();
            try {
                if (thread.getState() == Thread.State.NEW) {
                    thread.start();
                }
            } finally {
                startAll(left);
            }
        }
    }

    private void runTasks() {
        while (!closed) {
            try {
                Runnable task = tasks.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                if (task != null) {
                    runAlone(task);
                } else if (!closed) {
                    runAlone(whenIdle);
                }
            } catch (InterruptedException e) {
                // any other was meant for a task that has ended; a thread that ended for it would not be replaced
                if (isEndedByServer()) {
                    Thread.currentThread().interrupt();
                    return;
                }
            } catch (OutOfMemoryError e) {
                // to wait in a queue takes memory, and a thread that ended for that would not be replaced
                LockSupport.parkNanos(WITHOUT_MEMORY_NANOS);
            }
        }
    }

    private static boolean isEndedByServer() {
        return Thread.currentThread() instanceof ManageableThread managed && managed.isShutdown();
    }

    private static void runAlone(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            logFailed(e);
        }
    }

    private static void logFailed(Throwable failure) {
        try {
            OutboxLog.taskFailed(failure);
        } catch (RuntimeException | Error e) {
            // there may be no memory for the log; without this thread the relay would lack one from now on
            return;
        }
    }
}
