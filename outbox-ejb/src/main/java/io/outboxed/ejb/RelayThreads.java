package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.observe.OutboxLog;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
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
final class RelayThreads implements AutoCloseable {
    static final String OWN_EXECUTOR = "java:app/concurrent/outbox";
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";

    private final ExecutorService executor;
    private final boolean ours;

    private RelayThreads(ExecutorService executor, boolean ours) {
        this.executor = executor;
        this.ours = ours;
    }

    static RelayThreads open() {
        try {
            return new RelayThreads((ManagedExecutorService) lookup(OWN_EXECUTOR), false);
        } catch (NamingException notBound) {
            OutboxLog.ownThreads(OWN_EXECUTOR, THREAD_FACTORY);
            return new RelayThreads(Executors.newCachedThreadPool(threadFactory()), true);
        }
    }

    private static ThreadFactory threadFactory() {
        try {
            return (ThreadFactory) lookup(THREAD_FACTORY);
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has neither " + OWN_EXECUTOR + " nor " + THREAD_FACTORY
                            + ": the relay has no threads. Define an executor of the first name in the server",
                    e);
        }
    }

    private static Object lookup(String name) throws NamingException {
        return new InitialContext().lookup(name);
    }

    ExecutorService executor() {
        return executor;
    }

    /** Interrupts what still runs; a container's executor ends with the application. */
    @Override
    public void close() {
        if (ours) {
            executor.shutdownNow();
        }
    }
}
