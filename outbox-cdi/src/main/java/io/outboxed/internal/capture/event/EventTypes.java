package io.outboxed.internal.capture.event;

import io.outboxed.EventType;
import io.outboxed.OutboxException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches what each class declares about its events. Not in a {@link ClassValue}: an entry for a class of the JDK, such as
 * String, would keep the application's classes after its end.
 */
public final class EventTypes {

    private static final Map<Class<?>, EventDescriptor> DESCRIPTORS = new ConcurrentHashMap<>();

    private EventTypes() {}

    /** @throws OutboxException if the declarations contradict each other; thrown again by each call */
    public static EventDescriptor of(Class<?> eventClass) {
        return DESCRIPTORS.computeIfAbsent(eventClass, EventTypes::describe);
    }

    /** Whether objects of this class are events, even if its declarations contradict each other. */
    public static boolean isEvent(Class<?> type) {
        try {
            return of(type).type() != null;
        } catch (OutboxException e) {
            return true;
        }
    }

    /** The event name of a class, its own or an inherited one. */
    public static Optional<EventType> nameOf(Class<?> eventClass) {
        return Optional.ofNullable(namedBy(eventClass)).map(named -> named.getAnnotation(EventType.class));
    }

    private static EventDescriptor describe(Class<?> eventClass) {
        AggregateIdMember aggregateId = AggregateIdMember.of(eventClass);
        Class<?> named = namedBy(eventClass);
        if (named == null) {
            return new EventDescriptor(eventClass, null, null, "", aggregateId);
        }
        EventType name = named.getAnnotation(EventType.class);
        return new EventDescriptor(eventClass, name.value(), named, aggregateType(name), aggregateId);
    }

    /**
     * The class itself wins, then the nearest superclass, then the interfaces; only one of the interfaces may have a
     * name.
     */
    private static Class<?> namedBy(Class<?> eventClass) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> level = eventClass; level != null; level = level.getSuperclass()) {
            if (level.isAnnotationPresent(EventType.class)) {
                return level;
            }
            collectInterfaces(level, interfaces);
        }
        List<Class<?>> named = interfaces.stream()
                .filter(parent -> parent.isAnnotationPresent(EventType.class))
                .toList();
        if (named.size() > 1) {
            throw new OutboxException(
                    "OUTBOX-0104",
                    eventClass.getName() + " inherits " + named.size() + " event types, from " + named
                            + ": put @EventType on the class");
        }
        return named.isEmpty() ? null : named.get(0);
    }

    private static void collectInterfaces(Class<?> type, Set<Class<?>> into) {
        for (Class<?> parent : type.getInterfaces()) {
            if (into.add(parent)) {
                collectInterfaces(parent, into);
            }
        }
    }

    /** The part before the last dot: {@code order} of {@code order.placed}; empty without a dot. */
    private static String aggregateType(EventType annotation) {
        if (!annotation.aggregate().isEmpty()) {
            return annotation.aggregate();
        }
        return annotation.value().substring(0, Math.max(0, annotation.value().lastIndexOf('.')));
    }
}
