package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.OutboxLog;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The container's threads for the relay: those of the executor that {@link OutboxResources} defines, else a pool of ours
 * over the server's thread factory.
 *
 * <p>Looked up and not injected: Payara 6 checks what is injected into session beans before it binds definitions, and of a
 * library in {@code WEB-INF/lib} it binds data sources only. Its default executor is no way out: how many threads a default
 * executor has differs from server to server (3 to 8 were seen).
 */
@ApplicationScoped
public class RelayThreads {
    static final String OWN_EXECUTOR = "java:app/concurrent/outbox";
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final int STRANDS = 3;
    private static final int FOR_DEAD_LETTERS = 2;

    @Inject
    OutboxConfig config;

    private volatile Executor executor;
    private ThreadPoolExecutor ours;

    /** Threads take over the context of the component that calls this. */
    synchronized void open() {
        if (executor == null) {
            executor = find();
        }
    }

    private Executor find() {
        try {
            return (ManagedExecutorService) new InitialContext().lookup(OWN_EXECUTOR);
        } catch (NamingException notBound) {
            OutboxLog.ownThreads(OWN_EXECUTOR, THREAD_FACTORY);
            return overThreadFactory();
        }
    }

    /**
     * All threads at once, here: a new one takes over the context of whoever lets it be made, and each needs one of its own.
     * On Payara a context that threads share is locked for all of them while one is inside {@code @Transactional}.
     */
    private Executor overThreadFactory() {
        try {
            ThreadFactory factory = (ThreadFactory) new InitialContext().lookup(THREAD_FACTORY);
            int threads = STRANDS + 2 * config.relay().workers() + FOR_DEAD_LETTERS;
            ours = new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
            ours.prestartAllCoreThreads();
            return ours;
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has neither " + OWN_EXECUTOR + " nor " + THREAD_FACTORY
                            + ": the relay has no threads. Define an executor of the first name in the server",
                    e);
        }
    }

    /** Empty until they are opened. */
    Optional<Executor> executor() {
        return Optional.ofNullable(executor);
    }

    /** Interrupts what still runs; a container's executor ends with the application. */
    @PreDestroy
    synchronized void close() {
        if (ours != null) {
            ours.shutdownNow();
        }
    }
}
