package io.outboxed.internal.handlers;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.internal.handlers.invocation.ApplicationCallback;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The application's observers of dead letters. To read one costs a connection, and many may die at a time. */
@Dependent
class DeadLetterObservers {
    /** Only its type matters: which observers would be called. */
    private static final DeadLetter ANY_LETTER =
            new DeadLetter(new UUID(0, 0), "", "", "", "", "", 0, "", Instant.EPOCH, Instant.EPOCH, false);

    private final DeadLetters deadLetters;
    private final Event<DeadLetter> announced;
    private final Instance<RequestContextController> requestContexts;
    private final ApplicationCallback callback;
    private final boolean exist;

    @Inject
    DeadLetterObservers(
            DeadLetters deadLetters,
            Event<DeadLetter> announced,
            Instance<RequestContextController> requestContexts,
            ApplicationCallback callback,
            BeanManager beans) {
        this.deadLetters = deadLetters;
        this.announced = announced;
        this.requestContexts = requestContexts;
        this.callback = callback;
        this.exist = !beans.resolveObserverMethods(ANY_LETTER).isEmpty();
    }

    boolean exist() {
        return exist;
    }

    /** With the data that was stored. */
    void tell(UUID messageId, String handler) {
        Optional<DeadLetter> stored;
        try {
            stored = deadLetters.get(messageId, handler);
        } catch (RuntimeException | Error e) {
            OutboxLog.deadLetterNotAnnounced(messageId, handler, e);
            return;
        }
        stored.ifPresent(this::announce);
    }

    /** Without a context, Weld leaves out an observer in the request scope, and throws nothing. */
    private void announce(DeadLetter letter) {
        RequestContextController context = requestContexts.get();
        boolean activated = context.activate();
        try {
            callback.run(() -> announced.fire(letter));
        } catch (Exception | Error e) {
            OutboxLog.deadLetterObserverFailed(letter, e);
        } finally {
            if (activated) {
                context.deactivate();
            }
            requestContexts.destroy(context);
        }
    }
}
