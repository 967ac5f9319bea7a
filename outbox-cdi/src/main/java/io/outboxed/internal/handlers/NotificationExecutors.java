package io.outboxed.internal.handlers;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Notifications;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * How the application and its log learn what has happened, on threads for which the relay does not wait. What the
 * application does there may hang: it takes no more than these threads, and what piles up is bounded. Nothing is left
 * out of the log: while many lines wait, the relay writes the next ones itself.
 */
record NotificationExecutors(BoundedExecutor deadLetters, List<BoundedExecutor> failures, BoundedExecutor log) {
    private static final int OF_DEAD_LETTERS = 2;
    /** A failure handler that hangs holds up only those that share its thread. */
    private static final int OF_FAILURES = 4;
    /** A logger may take a millisecond for a stack trace. */
    private static final int OF_LOG = 1;

    private static final int MAX_QUEUED = 1000;
    /** Fewer, because an exception may hold much memory. */
    private static final int MAX_LOGGED_LATER = 100;

    /** @param executor provides {@link Notifications#THREADS} threads */
    static NotificationExecutors on(Executor executor) {
        return new NotificationExecutors(
                BoundedExecutor.dropping(executor, OF_DEAD_LETTERS, MAX_QUEUED, OutboxLog::notificationsDropped),
                Stream.generate(() -> inOrder(executor)).limit(OF_FAILURES).toList(),
                BoundedExecutor.callerRuns(executor, OF_LOG, MAX_LOGGED_LATER));
    }

    /** One thread, so that failures are reported in their order. */
    private static BoundedExecutor inOrder(Executor executor) {
        return BoundedExecutor.dropping(executor, 1, MAX_QUEUED, OutboxLog::failureReportsDropped);
    }

    /**
     * At the end of the relay: an observer that hangs would keep a thread of the server and the classes of the
     * application, and later ones would be called after the application. The log goes on until all is written.
     *
     * @param most for how long the application is still told what has happened until now
     */
    void end(Duration most) {
        long deadline = System.nanoTime() + most.toNanos();
        List<BoundedExecutor> ofTheApplication =
                Stream.concat(Stream.of(deadLetters), failures.stream()).toList();
        try {
            for (BoundedExecutor each : ofTheApplication) {
                each.awaitIdle(deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ofTheApplication.forEach(BoundedExecutor::end);
        }
    }
}
