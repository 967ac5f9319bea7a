package io.outboxed.internal.handlers;

import io.outboxed.internal.capture.check.PublishedClasses;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.handlers.HandlersExtension.Found;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds observers that CDI would call for an event that is fired, but the outbox, which knows only its class, not. */
final class SupertypeObservers {

    private SupertypeObservers() {}

    /** @param observers in the order of their messages */
    static void warn(List<Found> observers, Collection<Class<?>> handled, Collection<AnnotatedType<?>> beans) {
        List<Class<?>> events = Stream.concat(handled.stream(), beans.stream().flatMap(PublishedClasses::of))
                .distinct()
                .toList();
        for (Found found : observers) {
            if (found.observer().getObservedType() instanceof Class<?> observed
                    && observed != Object.class
                    && DeploymentCheck.foreignQualifiers(found.observer()).isEmpty()) {
                warn(found, observed, events);
            }
        }
    }

    private static void warn(Found found, Class<?> observed, List<Class<?>> events) {
        String covered = events.stream()
                .filter(event -> event != observed && observed.isAssignableFrom(event))
                .map(Class::getName)
                .sorted()
                .collect(Collectors.joining(", "));
        // asked last: it reads all members of the class, which may be one of a library
        if (!covered.isEmpty() && !EventTypes.isEvent(observed)) {
            OutboxLog.observerOfSupertype(
                    found.observer().getBeanClass().getName() + "."
                            + found.method().getJavaMember().getName() + "(" + observed.getSimpleName() + ")",
                    covered);
        }
    }
}
