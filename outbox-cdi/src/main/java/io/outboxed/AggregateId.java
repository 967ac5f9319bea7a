package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the identity of the aggregate that an event belongs to. Events of one aggregate are delivered in order; without
 * an aggregate id every event stands alone.
 *
 * <p>On a field, a getter or a record component of the event, or on a parameter of the {@link Outboxed} method (which
 * wins). The value's {@code toString()} is stored, at most 128 characters.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface AggregateId {}
