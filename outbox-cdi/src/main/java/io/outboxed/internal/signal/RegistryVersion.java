package io.outboxed.internal.signal;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The handler registry's version that this node knows: the relay's side raises it, capture writes it into every
 * message. A relay that knows an older version reads the registry again before it handles the message.
 */
@ApplicationScoped
public class RegistryVersion {
    private static final long UNKNOWN = -1;

    private final AtomicLong registryVersion = new AtomicLong(UNKNOWN);

    /** Whether this deployment's handlers are registered. */
    public boolean isKnown() {
        return registryVersion.get() != UNKNOWN;
    }

    /** 0 until the handlers are registered. */
    public long registryVersion() {
        return Math.max(0, registryVersion.get());
    }

    /** Never goes back. */
    public void raise(long atLeast) {
        registryVersion.accumulateAndGet(atLeast, Math::max);
    }
}
