package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.Handler;
import io.outboxed.internal.signal.ObservedClasses;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.Optional;

/** The classes that handlers of one type observe: all of a type observe the same one. */
@Dependent
class HandledClasses implements ObservedClasses {
    private final HandlersExtension discovery;

    @Inject
    HandledClasses(HandlersExtension discovery) {
        this.discovery = discovery;
    }

    @Override
    public Optional<Class<?>> of(String type) {
        return discovery.handlers().byKey().values().stream()
                .filter(handler -> !handler.raw() && handler.key().type().equals(type))
                .<Class<?>>map(Handler::event)
                .findFirst();
    }
}
