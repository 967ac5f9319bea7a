package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the parameter of a {@code void} {@link Outboxed} method that is the event, or several: an {@code Optional}, an {@code
 * Iterable} or an array of objects. Its value when the method returns is stored; null is an error. One parameter of a method
 * can have it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Payload {}
