package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.Handler;
import io.outboxed.internal.signal.ObservedClasses;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The classes that handlers of one type observe: all of a type observe the same one. */
@Dependent
class HandledClasses implements ObservedClasses {
    private final HandlersExtension discovery;
    private volatile Map<String, Class<?>> cached;

    @Inject
    HandledClasses(HandlersExtension discovery) {
        this.discovery = discovery;
    }

    @Override
    public Optional<Class<?>> of(String type) {
        if (cached == null) {
            cached = discovery.handlers().byKey().values().stream()
                    .filter(handler -> !handler.raw())
                    .collect(Collectors.toUnmodifiableMap(
                            handler -> handler.key().type(), Handler::event, (one, same) -> one));
        }
        return Optional.ofNullable(cached.get(type));
    }
}
