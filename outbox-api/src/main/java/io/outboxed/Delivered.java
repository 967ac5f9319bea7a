package io.outboxed;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Distinguishes a delivery by the outbox from an event of the same class that the application fires itself: an observer
 * with {@code @Observes @Delivered} gets only deliveries, one without the qualifier gets both.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
public @interface Delivered {

    /** The qualifier's only value. */
    final class Literal extends AnnotationLiteral<Delivered> implements Delivered {
        private static final long serialVersionUID = 1L;

        /** The instance. */
        public static final Literal INSTANCE = new Literal();

        private Literal() {}
    }
}
