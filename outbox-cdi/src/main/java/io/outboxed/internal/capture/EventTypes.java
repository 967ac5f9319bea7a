package io.outboxed.internal.capture;

import io.outboxed.EventType;
import io.outboxed.OutboxException;
import java.util.LinkedHashSet;
import java.util.Set;

/** What each class says about its events: read once per class, freed with the class. */
final class EventTypes {

    private static final ClassValue<EventDescriptor> DESCRIPTORS = new ClassValue<>() {
        @Override
        protected EventDescriptor computeValue(Class<?> eventClass) {
            return describe(eventClass);
        }
    };

    private EventTypes() {}

    /** @throws OutboxException if the class contradicts itself; it is thrown again at each call */
    static EventDescriptor of(Class<?> eventClass) {
        return DESCRIPTORS.get(eventClass);
    }

    private static EventDescriptor describe(Class<?> eventClass) {
        EventType annotation = annotation(eventClass);
        AggregateIdMember aggregateId = AggregateIdMember.of(eventClass);
        if (annotation == null) {
            return new EventDescriptor(eventClass, null, "", aggregateId);
        }
        return new EventDescriptor(eventClass, annotation.value(), aggregateType(annotation), aggregateId);
    }

    /** The class itself wins, then the nearest superclass, then the interfaces, which must agree. */
    private static EventType annotation(Class<?> eventClass) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> level = eventClass; level != null; level = level.getSuperclass()) {
            EventType own = level.getAnnotation(EventType.class);
            if (own != null) {
                return own;
            }
            collectInterfaces(level, interfaces);
        }
        Set<EventType> inherited = new LinkedHashSet<>();
        for (Class<?> parent : interfaces) {
            EventType own = parent.getAnnotation(EventType.class);
            if (own != null) {
                inherited.add(own);
            }
        }
        if (inherited.size() > 1) {
            throw new OutboxException(
                    "OUTBOX-0104",
                    eventClass.getName() + " inherits several @EventType from its interfaces (" + inherited
                            + "): put one on the class");
        }
        return inherited.isEmpty() ? null : inherited.iterator().next();
    }

    private static void collectInterfaces(Class<?> type, Set<Class<?>> into) {
        for (Class<?> parent : type.getInterfaces()) {
            if (into.add(parent)) {
                collectInterfaces(parent, into);
            }
        }
    }

    /** What stands before the last dot: {@code order} of {@code order.placed}; empty without a dot. */
    private static String aggregateType(EventType annotation) {
        if (!annotation.aggregate().isEmpty()) {
            return annotation.aggregate();
        }
        return annotation.value().substring(0, Math.max(0, annotation.value().lastIndexOf('.')));
    }
}
