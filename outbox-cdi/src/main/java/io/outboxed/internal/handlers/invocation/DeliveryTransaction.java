package io.outboxed.internal.handlers.invocation;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Added to transactional handlers during deployment: each attempt of a delivery runs in its own transaction. */
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface DeliveryTransaction {

    /** An instance of the interceptor binding. */
    final class Literal extends AnnotationLiteral<DeliveryTransaction> implements DeliveryTransaction {
        private static final long serialVersionUID = 1L;
        public static final Literal INSTANCE = new Literal();
    }
}
