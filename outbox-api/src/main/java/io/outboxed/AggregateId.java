package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the identity of the aggregate that an event belongs to. Events of one aggregate are delivered in order; an event
 * without an aggregate id stands alone.
 *
 * <p>On one field, getter or record component of the event class, of any visibility, or on one parameter of the {@link
 * Outboxed} method, which wins. An id of several parts is a getter that joins them. What contradicts this fails the
 * deployment, or the call where the class is not known before.
 *
 * <p>The value's {@code toString()} is stored, at most 128 characters. In an event, null means that it has no aggregate; a
 * parameter that is null is refused with {@code OUTBOX-0106}. Two events have the same aggregate if their id and their
 * aggregate's type are equal, see {@link EventType#aggregate()}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface AggregateId {}
