package io.outboxed.internal.capture;

import io.outboxed.OutboxException;

/**
 * What a class says about its events.
 *
 * @param type from {@code @EventType}, null without one
 * @param namedBy the class or interface that carries the annotation
 * @param aggregateType empty without one
 * @param aggregateId where the aggregate's identity is, null without {@code @AggregateId}
 */
public record EventDescriptor(
        Class<?> eventClass, String type, Class<?> namedBy, String aggregateType, AggregateIdMember aggregateId) {

    /** The identity as text, empty where the class names none. */
    String aggregateIdOf(Object event) {
        if (aggregateId == null) {
            return "";
        }
        Object value = aggregateId.read(event);
        String text = value == null ? "" : value.toString();
        if (text.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0106",
                    "the aggregate id of " + eventClass.getName() + " is " + (value == null ? "null" : "empty") + " ("
                            + aggregateId
                            + "): give it a value before publishing, or remove @AggregateId if these events need no order");
        }
        return text;
    }
}
