package io.outboxed.example;

import io.outboxed.OutboxMessage;
import io.outboxed.spi.ContextPropagator;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;

@ApplicationScoped
public class CallerPropagator implements ContextPropagator {

    @Inject
    Caller caller; // a request scoped bean of yours, which your login filter fills

    @Override
    public Map<String, String> capture() {
        return Map.of("tenant", caller.tenant(), "principal", caller.name());
    }

    @Override
    public AutoCloseable restore(OutboxMessage message) {
        caller.is(
                message.headers().getOrDefault("principal", ""),
                message.headers().getOrDefault("tenant", ""));
        return null; // each attempt has its own request context, so there is nothing to undo
    }
}
