package io.outboxed.internal.handlers.invocation;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Added to handlers during deployment: each of their calls is intercepted, also each retry of Fault Tolerance. */
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface DeliveryAttempt {

    /** An instance of the interceptor binding. */
    final class Literal extends AnnotationLiteral<DeliveryAttempt> implements DeliveryAttempt {
        private static final long serialVersionUID = 1L;
        public static final Literal INSTANCE = new Literal();
    }
}
