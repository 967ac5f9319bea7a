package io.outboxed.internal.handlers;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Put on transactional handlers during deployment: each attempt of a delivery runs in its own transaction. */
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@interface DeliveryTransaction {

    /** The binding. */
    final class Literal extends AnnotationLiteral<DeliveryTransaction> implements DeliveryTransaction {
        private static final long serialVersionUID = 1L;
        static final Literal INSTANCE = new Literal();
    }
}
