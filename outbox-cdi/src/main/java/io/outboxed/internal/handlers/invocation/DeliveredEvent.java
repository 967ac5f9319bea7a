package io.outboxed.internal.handlers.invocation;

import io.outboxed.AnyEvent;
import io.outboxed.Delivered;
import io.outboxed.EventBatch;
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

    private static final Set<Annotation> USUAL = Set.of(Any.Literal.INSTANCE, Delivered.Literal.INSTANCE);

    static DeliveredEvent of(Handler handler, Object event) {
        if (handler.raw() || handler.key().isOfAnyType()) {
            return new DeliveredEvent(event, withMore(handler, event));
        }
        return new DeliveredEvent(event, USUAL);
    }

    private static Set<Annotation> withMore(Handler handler, Object event) {
        Set<Annotation> qualifiers = new HashSet<>(USUAL);
        if (event instanceof OutboxMessage message) {
            qualifiers.add(EventType.Literal.of(message.type()));
        }
        if (event instanceof EventBatch<?> batch && handler.raw()) {
            qualifiers.add(EventType.Literal.of(batch.messages().get(0).type()));
        }
        if (handler.key().isOfAnyType()) {
            qualifiers.add(AnyEvent.Literal.INSTANCE);
        }
        return Set.copyOf(qualifiers);
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
