package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The group of a handler: the events of one aggregate reach the handlers of a group in order, whatever their types.
 * While a handler of the group has failed for an event and will be retried, the group gets no later event of that
 * aggregate. Other groups and other aggregates are not affected.
 *
 * <p>By default the group is the simple name of the bean class that declares the observers: a projection with a method
 * for each event type sees them in order. Two bean classes with the same simple name are rejected at deployment, like
 * two handlers with the same name, until one of them declares its group. The annotation on a method takes precedence
 * over the one on the class; a subclass inherits that of its superclass. An inherited observer without the annotation
 * belongs to the bean that is deployed. If methods need no common order, give them groups of their own; if beans need
 * one, give them the same group.
 *
 * <p>The group affects only the order: each handler keeps its own retries and dead letters. When a handler has given
 * up, the group continues with the next event of the aggregate ({@code outbox.dead-letter.order=skip}), or waits until
 * the dead letter is replayed or discarded ({@code block}): with {@code block} the dead letter of one handler stops all
 * handlers of its group, for that aggregate.
 *
 * <p>1 to 128 characters: letters, digits, {@code .}, {@code _} and {@code -}. All handlers with the same name are in
 * the same group.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface HandlerGroup {
    /**
     * The group's name.
     *
     * @return 1 to 128 characters: ASCII letters, digits, {@code .}, {@code _} and {@code -}
     */
    String value();
}
