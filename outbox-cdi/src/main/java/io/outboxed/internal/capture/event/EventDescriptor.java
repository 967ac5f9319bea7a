package io.outboxed.internal.capture.event;

import io.outboxed.EventType;
import io.outboxed.OutboxException;
import java.util.Optional;

/**
 * What a class declares about its events.
 *
 * @param type from {@code @EventType}; null without the annotation
 * @param namedBy the class or interface that carries the annotation
 * @param aggregateType empty if none is declared
 * @param aggregateId reads the aggregate's identity; null without {@code @AggregateId}
 */
public record EventDescriptor(
        Class<?> eventClass, String type, Class<?> namedBy, String aggregateType, AggregateIdMember aggregateId) {

    /** The member with the aggregate's identity, if the class itself declares it and leaves the aggregate's type open. */
    public Optional<String> idOfImpliedAggregate() {
        return namedBy == null
                        || !namedBy.getAnnotation(EventType.class).aggregate().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(aggregateId)
                        .filter(id -> id.isDeclaredBy(eventClass))
                        .map(AggregateIdMember::name);
    }

    /** The aggregate's identity as text; empty if the class declares none. */
    public String aggregateIdOf(Object event) {
        if (aggregateId == null) {
            return "";
        }
        String text = IdText.of(aggregateId.read(event), "the @AggregateId " + aggregateId);
        if (text == null || text.isEmpty()) {
            throw new OutboxException(
                    "OUTBOX-0106",
                    "the aggregate id of " + eventClass.getName() + " is " + (text == null ? "null" : "empty") + " ("
                            + aggregateId
                            + "): give it a value before publishing, or remove @AggregateId if these events need no order");
        }
        return text;
    }
}
