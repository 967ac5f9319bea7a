package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The group of a handler: the events of one aggregate reach the handlers of a group in order, whatever types they are. While
 * a handler of the group still has to be called for an event, because it failed and is to be tried again, the group gets no
 * later event of that aggregate. Other groups go on, and so do other aggregates.
 *
 * <p>Without it the group is the bean class that declares the observers, under its simple name: a projection with a method
 * for each event type sees them in order. Two bean classes of the same simple name are refused at deployment, as two handlers
 * of one name are, until one of them says which group it means. The annotation on a method wins over that on the class; a
 * subclass inherits that of its superclass. An inherited observer without any belongs to the bean that is deployed. Give
 * methods that need no order among each other groups of their own, and beans that need one the same group.
 *
 * <p>The group decides about order only: each handler keeps its own retries and dead letters. When a handler has given up, the
 * group goes on with the next event of the aggregate ({@code outbox.dead-letter.order=skip}), or waits until somebody has
 * replayed or discarded the dead letter ({@code block}): with {@code block} the dead letter of one handler stops all
 * handlers of its group, for that aggregate.
 *
 * <p>1 to 128 characters: letters, digits, {@code .}, {@code _} and {@code -}. All handlers of one name are in one group.
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
