package io.outboxed.internal.signal;

import java.util.Optional;

/** Gets the database ready and this deployment's handlers registered, if that has not been done yet. */
@FunctionalInterface
public interface Preparation {

    /**
     * Takes part in no transaction of the caller, and waits at most a few seconds while another thread does the same.
     *
     * @return why it could not be done; empty if it is done
     */
    Optional<RuntimeException> prepare();
}
