package io.outboxed.internal.handlers;

import io.outboxed.internal.relay.Notifications;
import io.outboxed.spi.FailedAttempt;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Tells the application's failure handlers and its observers of dead letters, if it has any. */
@Dependent
class ApplicationNotifier implements Notifications {
    private final FailureHandlers failureHandlers;
    private final DeadLetterObservers deadLetterObservers;
    private volatile NotificationExecutors executors;

    @Inject
    ApplicationNotifier(FailureHandlers failureHandlers, DeadLetterObservers deadLetterObservers) {
        this.failureHandlers = failureHandlers;
        this.deadLetterObservers = deadLetterObservers;
    }

    @Override
    public void start(Executor executor) {
        executors = NotificationExecutors.on(executor);
    }

    @Override
    public void attemptFailed(Supplier<FailedAttempt> attempt) {
        if (failureHandlers.exist()) {
            failureHandlers.tell(attempt.get(), executors.failures());
        }
    }

    @Override
    public void deadLettered(UUID messageId, String handler) {
        if (deadLetterObservers.exist()) {
            executors.deadLetters().execute(() -> deadLetterObservers.tell(messageId, handler));
        }
    }

    @Override
    public Executor logExecutor() {
        return executors.log();
    }

    @Override
    public void end(Duration most) {
        if (executors != null) {
            executors.end(most);
        }
    }
}
