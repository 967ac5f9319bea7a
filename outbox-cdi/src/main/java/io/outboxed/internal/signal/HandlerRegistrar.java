package io.outboxed.internal.signal;

import java.util.Optional;

/** Prepares the database and registers this deployment's handlers, if that has not been done yet. */
@FunctionalInterface
public interface HandlerRegistrar {

    /**
     * Takes part in no transaction of the caller, and waits at most a few seconds while another thread does the same.
     *
     * @return why it failed; empty if it succeeded
     */
    Optional<RuntimeException> prepare();
}
