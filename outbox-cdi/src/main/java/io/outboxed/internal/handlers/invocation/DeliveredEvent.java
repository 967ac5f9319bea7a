package io.outboxed.internal.handlers.invocation;

import io.outboxed.AnyEvent;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.EventContext;
import jakarta.enterprise.inject.spi.EventMetadata;
import jakarta.enterprise.inject.spi.InjectionPoint;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;

/** The context of an event that the relay delivers to an observer. */
record DeliveredEvent(Object event, Set<Annotation> qualifiers) implements EventContext<Object>, EventMetadata {

    static DeliveredEvent of(Handler handler, Object event) {
        Set<Annotation> qualifiers = new HashSet<>(Set.of(Any.Literal.INSTANCE, Delivered.Literal.INSTANCE));
        if (event instanceof OutboxMessage message) {
            qualifiers.add(EventType.Literal.of(message.type()));
        }
        if (handler.key().isOfAnyType()) {
            qualifiers.add(AnyEvent.Literal.INSTANCE);
        }
        return new DeliveredEvent(event, Set.copyOf(qualifiers));
    }

    @Override
    public Object getEvent() {
        return event;
    }

    @Override
    public EventMetadata getMetadata() {
        return this;
    }

    @Override
    public Set<Annotation> getQualifiers() {
        return qualifiers;
    }

    @Override
    public InjectionPoint getInjectionPoint() {
        return null;
    }

    @Override
    public Type getType() {
        return event.getClass();
    }
}
