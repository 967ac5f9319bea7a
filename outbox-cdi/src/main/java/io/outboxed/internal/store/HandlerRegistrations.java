package io.outboxed.internal.store;

import java.util.Collection;

/** The handlers that all deployments have registered. */
public interface HandlerRegistrations {

    /**
     * Registers new handlers, restores retired ones and moves those whose group has changed.
     *
     * @return the registry's version afterwards
     */
    long register(Collection<HandlerRegistration> handlers);

    RegistrySnapshot snapshot();
}
