package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxMessage;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.store.HandlerKey;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.reflect.Method;

/**
 * An observer that the relay calls.
 *
 * @param key its type is {@link HandlerKey#ANY_TYPE} for a handler of any type
 * @param event the class that the payload is decoded to; {@code OutboxMessage} itself for a raw handler
 * @param batch whether it takes an {@code EventBatch} of these
 * @param instance of its bean
 */
public record Handler(
        HandlerKey key,
        String group,
        Class<?> event,
        boolean batch,
        Demarcation demarcation,
        InstanceKind instance,
        ObserverMethod<Object> observer,
        Method method) {

    public boolean raw() {
        return event == OutboxMessage.class;
    }

    public HandlerMode mode() {
        return batch ? HandlerMode.BATCHED : demarcation.mode();
    }
}
