package io.outboxed.internal.store.cluster;

import io.outboxed.admin.Pause;
import java.util.Collection;
import java.util.List;

/** The handlers that all deployments have registered, and what operators have paused. */
public interface HandlerRegistrations {

    /**
     * Registers new handlers, restores retired ones and moves those whose group has changed. Each of these raises the
     * registry's version. A move adds no handler, so it makes no deployment newer than another.
     */
    Versions register(Collection<HandlerRegistration> handlers);

    RegistrySnapshot snapshot();

    /** The pauses that are in force: everything first, then by kind and name. */
    List<Pause> pauses();

    /**
     * What a deployment learns when it registers its handlers.
     *
     * @param registry the registry's version afterwards, which messages carry: a relay that knows an older one reads the
     *     registry again
     * @param deployment the version that added the newest of the deployment's own handlers; 0 without handlers. A
     *     deployment that lacks newer handlers has a lower one, whenever it starts
     */
    record Versions(long registry, long deployment) {}
}
