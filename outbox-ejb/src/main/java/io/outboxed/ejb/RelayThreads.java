package io.outboxed.ejb;

import io.outboxed.internal.boot.RelayExecutors;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.node.RelayNode;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/**
 * The relay's threads, provided by the container: its few endless loops run on threads of the server's factory; handlers
 * are called in finite tasks of a managed executor, or also on such threads if there is no suitable one.
 *
 * <p>All have the context of the web module. With a session bean's context Payara enlists no connections in {@code
 * @Transactional}.
 */
@ApplicationScoped
public class RelayThreads {
    @Inject
    OutboxConfig config;

    private FactoryThreads loops;
    private FactoryThreads fallback;
    private FactoryThreads checking;
    private ExecutorChoice managed;
    private Optional<HandlerExecutor> handlers = Optional.empty();
    private Optional<RelayExecutors> chosen = Optional.empty();
    private boolean closed;
    private volatile Runnable user = () -> {};
    private volatile Runnable check = () -> {};

    /** @param stop stops the relay that uses the threads; does nothing if it has already been stopped */
    void usedBy(Runnable stop) {
        user = stop;
    }

    /** @param often called twice a second, by a thread that waits by the monotonic clock */
    void checkedBy(Runnable often) {
        check = often;
    }

    /** To be called before the context that the threads have ends: without it none can be started, not even to end. */
    void contextEnds() {
        try {
            user.run();
        } finally {
            closeFallback();
        }
    }

    private synchronized void closeFallback() {
        close(fallback);
    }

    /** To be called in the context that the threads are to have. A disabled relay needs none. */
    synchronized void open() {
        if (managed != null || closed || !config.relay().enabled()) {
            return;
        }
        int workers = config.relay().workers();
        try {
            loops = FactoryThreads.ofServer(RelayNode.THREADS + Notifications.THREADS);
            // as many spare workers as are configured may replace those that hang
            fallback = FactoryThreads.ofServer(2 * workers);
            checking = FactoryThreads.ofServerThatRepeats(() -> check.run());
            managed = new ExecutorChoice(ManagedExecutor.find(workers));
            loops.start();
            checking.start();
        } catch (RuntimeException | Error e) {
            managed = null;
            try {
                end();
            } catch (RuntimeException | Error ending) {
                e.addSuppressed(ending);
            }
            throw e;
        }
    }

    /** Called once a second. */
    synchronized void supervise() {
        if (managed != null && chosen.isEmpty()) {
            managed.tick();
        }
        handlers.ifPresent(HandlerExecutor::supervise);
    }

    /** Empty until {@link #open} was called and it is known what the managed executor can do. */
    synchronized Optional<RelayExecutors> executors() {
        if (managed != null && chosen.isEmpty()) {
            ExecutorChoice.Result result = managed.result();
            if (result instanceof ExecutorChoice.Result.Found found) {
                use(found.executor());
            } else if (result instanceof ExecutorChoice.Result.None none) {
                useFactory(none.why());
            }
        }
        return chosen;
    }

    private void use(ManagedExecutor executor) {
        HandlerExecutor found = new HandlerExecutor(
                executor.name(), executor.executor(), fallback, config.handler().timeout());
        handlers = Optional.of(found);
        chosen = Optional.of(new RelayExecutors(loops, found, executor.name()));
    }

    private void useFactory(String why) {
        fallback.start();
        chosen = Optional.of(new RelayExecutors(
                loops, fallback, fallback.count() + " threads of " + FactoryThreads.FACTORY + ", because " + why));
    }

    /** The threads end once their current work is done. */
    @PreDestroy
    synchronized void close() {
        closed = true;
        end();
    }

    private void end() {
        try {
            close(checking);
        } finally {
            try {
                close(loops);
            } finally {
                close(fallback);
            }
        }
    }

    private static void close(FactoryThreads some) {
        if (some != null) {
            some.close();
        }
    }
}
