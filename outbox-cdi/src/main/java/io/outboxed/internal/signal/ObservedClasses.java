package io.outboxed.internal.signal;

import java.util.Optional;

/** Which classes the handlers of this deployment observe. */
@FunctionalInterface
public interface ObservedClasses {
    /** The class that the payloads of this type are decoded to, if a handler observes one. */
    Optional<Class<?>> of(String type);
}
