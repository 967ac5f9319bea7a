package io.outboxed.ejb;

import io.outboxed.OutboxException;
import io.outboxed.internal.observe.OutboxLog;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.concurrent.Executor;
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
@ApplicationScoped
public class RelayThreads {
    static final String OWN_EXECUTOR = "java:app/concurrent/outbox";
    private static final String THREAD_FACTORY = "java:comp/DefaultManagedThreadFactory";
    private static final String CONTEXT_SERVICE = "java:comp/DefaultContextService";

    private volatile Executor executor;
    private ExecutorService ours;

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

    /** A new thread has the context of whoever lets it be made; the context of now is put over it. */
    private Executor overThreadFactory() {
        try {
            ours = Executors.newCachedThreadPool((ThreadFactory) new InitialContext().lookup(THREAD_FACTORY));
            ContextService contexts = (ContextService) new InitialContext().lookup(CONTEXT_SERVICE);
            Executor inContextOfNow = contexts.currentContextExecutor();
            return task -> ours.execute(() -> inContextOfNow.execute(task));
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0454",
                    "this server has neither " + OWN_EXECUTOR + " nor " + THREAD_FACTORY + " and " + CONTEXT_SERVICE
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
