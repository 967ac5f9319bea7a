package io.outboxed;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Skips a method that has already run for the same message, as {@link Inbox#once(String, String, Runnable)} does.
 *
 * <pre>{@code
 * @Idempotent
 * @Transactional(REQUIRES_NEW)
 * void book(@Observes OrderPlaced event) { }            // the message is the one that is being delivered
 *
 * @Idempotent(receiver = "accounts")
 * @Transactional
 * public void book(@Idempotent.Id UUID payment, long cents) { }
 * }</pre>
 *
 * <p>The message's id is the argument of the parameter with {@link Id}. Without such a parameter it is the id of the
 * {@link OutboxMessage} that is being delivered on this thread, and a call outside of a delivery fails with {@code
 * OUTBOX-0144}, like one whose id is null. During a delivery every further call of the method is therefore a repeated
 * one, unless a parameter has the id.
 *
 * <p>Works on methods of CDI beans and session beans, for calls that the container intercepts: not for a call of
 * {@code this}. A method that returns a value, is private, static or final, or is declared to have no transaction
 * fails the deployment, and so does the annotation on a class.
 *
 * <p>Transaction: one must be active when the method begins, its own or its caller's. A transactional handler needs
 * no {@code Idempotent}: its effect and the end of its delivery are one transaction. Limits, concurrent calls, errors
 * and retention are those of {@link Inbox}.
 */
@Documented
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {

    /**
     * Who has the effect. Methods with the same receiver exclude each other. Set it before you rename a class or a
     * method.
     *
     * @return 1 to 255 characters; empty: {@code package.Class#method} of the method's declaration, which overloaded
     * methods share
     */
    @Nonbinding
    String receiver() default "";

    /** The parameter whose {@code toString()} is the message's id, not null. One at most. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.PARAMETER)
    @interface Id {}
}
