package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.Handler;
import io.outboxed.internal.store.HandlerKey;
import java.util.Map;
import java.util.Set;

/** The handlers of this deployment. */
record Handlers(Map<HandlerKey, Handler> byKey) {
    static final Handlers NONE = new Handlers(Map.of());

    Handlers {
        byKey = Map.copyOf(byKey);
    }

    Set<HandlerKey> keys() {
        return byKey.keySet();
    }

    int types() {
        return (int) keys().stream()
                .filter(key -> !key.isOfAnyType())
                .map(HandlerKey::type)
                .distinct()
                .count();
    }

    /** The handler of this type, or of any type, with this name. */
    Handler get(HandlerKey key) {
        Handler handler = byKey.getOrDefault(key, byKey.get(key.ofAnyType()));
        if (handler == null) {
            throw new IllegalArgumentException("this deployment has no handler " + key.handler() + " of " + key.type());
        }
        return handler;
    }
}
