package io.outboxed.internal.store;

import java.util.Collection;

/** Which handlers there are, as all deployments have registered them. */
public interface HandlerRegistrations {

    /**
     * Registers the handlers that are new, brings back retired ones and moves those whose group has changed.
     *
     * @return the registry's version afterwards
     */
    long register(Collection<HandlerRegistration> handlers);

    RegistrySnapshot snapshot();
}
