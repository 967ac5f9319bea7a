package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.signal.HandlerRegistrar;
import io.outboxed.internal.signal.RegistryVersion;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;

/**
 * Ensures that each event carries the registry's version. Without it, a node with an older deployment could complete
 * the event although it does not know all handlers that have to be called.
 */
@Dependent
class RegistrationCheck {
    private final RegistryVersion registry;
    private final Iterable<HandlerRegistrar> registrars;

    @Inject
    RegistrationCheck(RegistryVersion registry, Instance<HandlerRegistrar> registrars) {
        this(registry, (Iterable<HandlerRegistrar>) registrars);
    }

    /** @param registrars empty if the application has no relay */
    RegistrationCheck(RegistryVersion registry, Iterable<HandlerRegistrar> registrars) {
        this.registry = registry;
        this.registrars = registrars;
    }

    void require() {
        if (!registry.isKnown()) {
            for (HandlerRegistrar registrar : registrars) {
                failure(registrar).ifPresent(RegistrationCheck::refuse);
            }
        }
    }

    private static Optional<RuntimeException> failure(HandlerRegistrar registrar) {
        try {
            return registrar.prepare();
        } catch (RuntimeException e) {
            // thrown by the container: it is not ready, or is shutting down
            return Optional.of(e);
        }
    }

    private static void refuse(RuntimeException cause) {
        throw new OutboxException(
                "OUTBOX-0116",
                "the handlers of this deployment could not be registered before its first event, so nothing was"
                        + " stored: a"
                        + " node of an older deployment could have finished the event without the new handlers. See"
                        + " the cause,"
                        + " and try again when the database is reachable and the application has started",
                cause);
    }
}
