package io.outboxed;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Selects the events of every type, for a handler such as an audit trail or a bridge to a broker:
 *
 * <pre>{@code
 * void audit(@Observes @AnyEvent OutboxMessage message) { ... }
 * }</pre>
 *
 * <p>The handler gets the events of all types, whether other handlers observe them or not, and also those of types that
 * no deployment knows. Such events therefore don't wait for their first handler: they are done when the handlers of any
 * type are, and a handler for their type that is deployed later does not get them.
 *
 * <p>Like every handler it has a name, attempts and dead letters of its own, and belongs to a {@link HandlerGroup}, in
 * which the events of one aggregate arrive in order, whatever their types. Give it a bean, or a group, of its own: in a
 * group that already exists, events that waited for their first handler may arrive after later ones. No other handler
 * of the application can have the same name. The qualifier is allowed only on a parameter of the type {@link
 * OutboxMessage}.
 */
@Documented
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD, ElementType.METHOD, ElementType.TYPE})
public @interface AnyEvent {

    /** The qualifier's only value. */
    final class Literal extends AnnotationLiteral<AnyEvent> implements AnyEvent {
        private static final long serialVersionUID = 1L;

        /** The instance. */
        public static final Literal INSTANCE = new Literal();

        private Literal() {}
    }
}
