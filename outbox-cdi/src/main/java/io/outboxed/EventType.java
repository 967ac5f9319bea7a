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
 * <p>On a class it names the events of that class. On an observer's {@link OutboxMessage} parameter it selects the type
 * that the observer handles: {@code @Observes @EventType("order.placed") OutboxMessage message}.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD})
public @interface EventType {

    /** 1 to 128 characters: letters, digits, {@code .}, {@code _}, {@code -}, {@code :} and {@code /}. */
    String value();

    /** The aggregate's type; by default what stands before the last dot of {@link #value()}. */
    @Nonbinding
    String aggregate() default "";

    /** For selecting an observer by name. */
    final class Literal extends AnnotationLiteral<EventType> implements EventType {
        private static final long serialVersionUID = 1L;

        private final String value;

        private Literal(String value) {
            this.value = value;
        }

        /** The qualifier for one type name. */
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
