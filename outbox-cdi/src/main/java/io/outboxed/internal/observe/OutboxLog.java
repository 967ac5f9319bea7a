package io.outboxed.internal.observe;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.HandlerKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.UUID;

/**
 * Every line that the outbox logs: a unique id, the values, what happens next. Never a payload, a header's value or a
 * secret.
 */
public final class OutboxLog {
    private static final Logger LOG = System.getLogger("io.outboxed");

    private OutboxLog() {}

    // ---- 05xx: handlers and deployment ----

    public static void handlersFound(int handlers, int types) {
        LOG.log(Level.INFO, "OUTBOX-0590 found {0} handlers of {1} event types", handlers, types);
    }

    public static void observerIsNoHandler(String observer, String qualifiers) {
        LOG.log(
                Level.WARNING,
                "OUTBOX-0591 {0} observes an event type with {1}: the outbox does not call it, only the application's own"
                        + " Event.fire does. To make it a handler, leave out the qualifier",
                observer,
                qualifiers);
    }

    public static void classifierFailed(HandlerKey handler, UUID message, Throwable failure) {
        LOG.log(
                Level.ERROR,
                () -> "OUTBOX-0592 the application's FailureClassifier "
                        + (failure == null
                                ? "returned null"
                                : "threw " + failure.getClass().getName()) + " for handler "
                        + handler.handler() + " of message " + message + " (" + handler.type()
                        + "); the delivery is retried",
                failure);
    }

    public static void deadLetterObserverFailed(DeadLetter letter, Throwable failure) {
        LOG.log(
                Level.ERROR,
                () -> "OUTBOX-0593 an observer of DeadLetter failed for handler " + letter.handler() + " of message "
                        + letter.messageId() + " (" + letter.type()
                        + "); the dead letter itself is stored, its observers are not called again",
                failure);
    }
}
