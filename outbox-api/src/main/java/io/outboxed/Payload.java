package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the parameter of a {@code void} {@link Outboxed} method that is the event, or contains several: an {@code
 * Optional}, an {@code Iterable} or an array of objects. It is stored with its state at the time when the method
 * returns; null is an error. Only one parameter of a method can have the annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Payload {}
