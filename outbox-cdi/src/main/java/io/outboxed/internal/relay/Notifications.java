package io.outboxed.internal.relay;

import io.outboxed.spi.FailedAttempt;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * How the application and its log learn what has happened, while the relay goes on. By default the application learns
 * nothing. Thread-safe.
 */
public interface Notifications {
    /** On which the application is told, and most of the log is written. */
    int THREADS = 7;

    /** @param executor provides {@link #THREADS} threads */
    default void start(Executor executor) {}

    /** @param attempt asked for at once, if the application wants to know of failed attempts */
    default void attemptFailed(Supplier<FailedAttempt> attempt) {}

    /** A dead letter is stored. */
    default void deadLettered(UUID messageId, String handler) {}

    /** Writes lines of the log. */
    default Executor logExecutor() {
        return Runnable::run;
    }

    /**
     * At the end of the relay: later the application is told nothing more.
     *
     * @param most for how long it is still told what has happened until now
     */
    default void end(Duration most) {}
}
