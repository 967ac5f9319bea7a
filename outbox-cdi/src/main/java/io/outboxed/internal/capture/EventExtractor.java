package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.event.EventTypes;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Extracts the events from what a business method returned or was given: none, one or several. */
final class EventExtractor {

    private EventExtractor() {}

    static List<Object> events(Object value, Method method) {
        if (value == null) {
            throw refused(
                    method,
                    "supplied null instead of an event; if there is none, return Optional.empty() or an empty list");
        }
        if (value instanceof Optional<?> optional) {
            return optional.map(List::<Object>of).orElse(List.of());
        }
        if (value instanceof Iterable<?> several && !EventTypes.isEvent(value.getClass())) {
            List<Object> events = new ArrayList<>();
            several.forEach(events::add);
            return withoutNull(events, method);
        }
        if (value instanceof Object[] several) {
            return withoutNull(Arrays.asList(several), method);
        }
        return List.of(value);
    }

    private static List<Object> withoutNull(List<Object> events, Method method) {
        int position = events.indexOf(null);
        if (position >= 0) {
            throw refused(
                    method, "supplied " + events.size() + " events, and the one at index " + position + " is null");
        }
        return events;
    }

    private static OutboxException refused(Method method, String why) {
        return new OutboxException(
                "OUTBOX-0103",
                "the @Outboxed method " + MethodName.of(method) + " " + why
                        + ". Nothing was stored; the exception rolls the transaction back");
    }
}
