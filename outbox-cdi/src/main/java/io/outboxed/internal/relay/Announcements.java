package io.outboxed.internal.relay;

import io.outboxed.internal.log.OutboxLog;
import java.util.concurrent.Executor;

/**
 * How the application learns what has happened, on threads for which the relay never waits. What the application does
 * there may hang: it takes no more than these threads, and what piles up is bounded.
 */
public record Announcements(Executor deadLetters, Executor failures) {
    private static final int OF_DEAD_LETTERS = 2;
    /** One, so that failures are reported in their order. */
    private static final int OF_FAILURES = 1;

    private static final int MAX_QUEUED = 1000;

    public static final int THREADS = OF_DEAD_LETTERS + OF_FAILURES;

    /** @param executor provides {@link #THREADS} threads */
    public static Announcements on(Executor executor) {
        return new Announcements(
                new BoundedExecutor(executor, OF_DEAD_LETTERS, MAX_QUEUED, OutboxLog::announcementsDropped),
                new BoundedExecutor(executor, OF_FAILURES, MAX_QUEUED, OutboxLog::failureReportsDropped));
    }
}
