package io.outboxed.internal.capture.check;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.AddressCheck;
import io.outboxed.internal.capture.EventAddress;
import io.outboxed.internal.capture.event.AsyncResult;
import io.outboxed.internal.capture.event.EventDescriptor;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.log.OutboxLog;
import jakarta.persistence.Entity;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Checks at deployment what is already known about an event's class. */
final class EventClassCheck {
    private final boolean jsonb;
    private final Map<String, Class<?>> types = new HashMap<>();
    private final Set<Class<?>> clashes = new HashSet<>();

    EventClassCheck(boolean jsonb) {
        this.jsonb = jsonb;
    }

    /**
     * @param how precedes the type's name in messages, for example {@code returns}
     * @param refuse receives code and reason
     */
    void check(Type declared, String how, BiConsumer<String, String> refuse) {
        Class<?> event = DeclaredEvent.of(declared);
        if (AsyncResult.is(event)) {
            refuse.accept(
                    "0127",
                    how + " " + event.getSimpleName()
                            + ", which completes after the transaction. Return the event itself,"
                            + " an Optional, a collection or an array");
        } else if (holdsOthers(event)) {
            refuse.accept(
                    "0129",
                    how + " " + declared.getTypeName() + ", and a " + event.getSimpleName()
                            + " is no event. Use one event, or an Optional, a collection or an array of events");
        } else {
            everyClass(event, how, refuse);
        }
    }

    /** Only one container is opened at a call. A class of the application may have subclasses that are events. */
    private static boolean holdsOthers(Class<?> type) {
        return type.isArray() && !type.getComponentType().isPrimitive()
                || type == Optional.class
                || type.getName().startsWith("java.")
                        && (Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    }

    /**
     * A sealed class is checked through its permitted classes; for an open one, the actual class is known only at a
     * call.
     */
    private void everyClass(Class<?> event, String how, BiConsumer<String, String> refuse) {
        if (event.isSealed()) {
            for (Class<?> permitted : event.getPermittedSubclasses()) {
                everyClass(permitted, how, refuse);
            }
        }
        if (isFinal(event) || isConcrete(event) && EventTypes.isEvent(event)) {
            oneClass(event, how, refuse);
        }
    }

    private void oneClass(Class<?> event, String how, BiConsumer<String, String> refuse) {
        EventDescriptor descriptor;
        try {
            descriptor = EventTypes.of(event);
        } catch (OutboxException e) {
            refuse.accept("0128", how + " " + event.getName() + ", which can't be an event: " + e.getMessage());
            return;
        }
        if (descriptor.type() == null) {
            refuse.accept(
                    "0129",
                    how + " " + event.getTypeName()
                            + ", which has no event type. Put @EventType(\"...\") on the class, or"
                            + " use a class that has one");
            return;
        }
        try {
            AddressCheck.checked(new EventAddress(descriptor.type(), descriptor.aggregateType(), ""));
        } catch (OutboxException e) {
            refuse.accept("0128", how + " " + event.getName() + ", whose @EventType is invalid: " + e.getMessage());
        }
        if (jsonb && !Modifier.isPublic(event.getModifiers())) {
            refuse.accept(
                    "0130",
                    how + " " + event.getName()
                            + ", which is not public: JSON-B can't read it. Make it public, or provide a"
                            + " PayloadCodec");
        }
        if (event.isAnnotationPresent(Entity.class)) {
            OutboxLog.entityAsEvent(event.getName());
        }
        oneClassForEachType(descriptor, how, refuse);
    }

    private void oneClassForEachType(EventDescriptor descriptor, String how, BiConsumer<String, String> refuse) {
        Class<?> other = types.putIfAbsent(descriptor.type(), descriptor.namedBy());
        if (other != null && other != descriptor.namedBy() && clashes.add(descriptor.namedBy())) {
            refuse.accept(
                    "0131",
                    how + " " + descriptor.eventClass().getName() + " with the event type " + descriptor.type()
                            + ", which already belongs to " + other.getName() + ". Change one @EventType");
        }
    }

    private static boolean isFinal(Class<?> type) {
        return type.isPrimitive() || Modifier.isFinal(type.getModifiers());
    }

    private static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
    }
}
