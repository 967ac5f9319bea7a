package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the identity of the aggregate that an event belongs to. Events of one aggregate are delivered in order; an
 * event without an aggregate id stands alone.
 *
 * <p>Goes on one field, getter or record component of the event class, of any visibility, or on one parameter of the
 * {@link Outboxed} method, which takes precedence. A method with {@link Outboxed#serialize()} needs the parameter. For
 * an id with several parts, annotate a getter that joins them. An invalid annotation fails the deployment or, if the
 * class is not known at deployment, the call.
 *
 * <p>The value's {@code toString()} is stored, at most 128 characters. Null and empty text are rejected with {@code
 * OUTBOX-0106}: events that need no order have no such annotation. An array, or an object whose class does not override
 * {@code toString()}, is rejected with {@code OUTBOX-0149}, even inside a record or a collection: equal ids could have
 * different texts. Two events have the same
 * aggregate if their id and their aggregate's type are equal, see {@link EventType#aggregate()}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface AggregateId {}
