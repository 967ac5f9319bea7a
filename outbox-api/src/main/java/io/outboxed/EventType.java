package io.outboxed;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.enterprise.util.Nonbinding;
import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stable name of an event, which survives a renamed class.
 *
 * <p>On a class or an interface it names the events of that class and of its subclasses without a name of their own;
 * two classes can't have the same name. If several classes inherit one, handlers observe the class that has it, and the
 * {@link io.outboxed.spi.PayloadCodec} has to tell them apart.
 *
 * <p>On an observer's {@link OutboxMessage} parameter it selects the type that the observer handles: {@code @Observes
 * @EventType("order.placed") OutboxMessage message}.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD})
public @interface EventType {

    /**
     * The name. It is stored with each event: changing it leaves stored events without a handler.
     *
     * @return 1 to 128 characters: ASCII letters, digits, {@code .}, {@code _}, {@code -}, {@code :} and {@code /}
     */
    String value();

    /**
     * The aggregate's type. Events of several types share one order if this and their {@link AggregateId} are equal.
     *
     * @return at most 128 characters; empty: the part of {@link #value()} before the last dot, {@code order} of {@code
     *     order.placed}, or none if there is no dot
     */
    @Nonbinding
    String aggregate() default "";

    /** The annotation as an object: selects observers of {@link OutboxMessage} by name. */
    final class Literal extends AnnotationLiteral<EventType> implements EventType {
        private static final long serialVersionUID = 1L;

        private final String value;

        private Literal(String value) {
            this.value = value;
        }

        /**
         * The qualifier for one type name.
         *
         * @param value the name, not checked
         * @return a qualifier without an aggregate type, which does not matter for the selection
         */
        public static Literal of(String value) {
            return new Literal(value);
        }

        @Override
        public String value() {
            return value;
        }

        @Override
        public String aggregate() {
            return "";
        }
    }
}
