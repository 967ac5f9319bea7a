package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.signal.Preparation;
import io.outboxed.internal.signal.RegistryVersion;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;

/**
 * Sees to it that events carry the registry's version. An event without one could be finished by a node of an older
 * deployment, which would not know that there are handlers to be waited for.
 */
@Dependent
class RegisteredHandlers {
    private final RegistryVersion registry;
    private final Iterable<Preparation> preparations;

    @Inject
    RegisteredHandlers(RegistryVersion registry, Instance<Preparation> preparations) {
        this(registry, (Iterable<Preparation>) preparations);
    }

    /** @param preparations none where no relay belongs to the application */
    RegisteredHandlers(RegistryVersion registry, Iterable<Preparation> preparations) {
        this.registry = registry;
        this.preparations = preparations;
    }

    void require() {
        if (!registry.isKnown()) {
            for (Preparation preparation : preparations) {
                failure(preparation).ifPresent(RegisteredHandlers::refuse);
            }
        }
    }

    private static Optional<RuntimeException> failure(Preparation preparation) {
        try {
            return preparation.prepare();
        } catch (RuntimeException e) {
            // of the container: it is not ready, or is going down
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
