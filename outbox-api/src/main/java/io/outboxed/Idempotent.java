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
 * {@link OutboxMessage} that is being delivered on this thread, so the method runs once per delivered message, however
 * often the handler calls it. Outside a delivery, a call without such a parameter fails with {@code OUTBOX-0144}; so
 * does any call with an id that is null.
 *
 * <p>Works on methods of CDI beans and session beans, for calls that the container intercepts, but not for calls on
 * {@code this}. A method that returns a value, is private, static or final, or is declared to have no transaction fails
 * the deployment, and so does the annotation on a class, on another annotation, or on a handler of an {@link EventBatch},
 * whose messages have an id each. {@code @Retry} and {@code @Fallback} of MicroProfile Fault
 * Tolerance fail it too, except on a handler: they would share the transaction of a try that has failed, which is
 * marked for rollback. Put them on a method that calls this one outside of a transaction.
 *
 * <p>Transaction: one must be active when the method begins, its own or its caller's. A transactional handler needs no
 * {@code Idempotent}, because its transaction also completes the delivery. For limits, concurrent calls, errors and
 * retention see {@link Inbox}.
 */
@Documented
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Idempotent {

    /**
     * What the effect belongs to, see {@link Inbox#once(String, String, Runnable)}. Of several methods with the same
     * receiver, only one runs for a message. Set it before you rename the class or the method, and if a bean has two
     * such methods of one name: without it they fail the deployment.
     *
     * @return 1 to 255 characters; empty: {@code package.Class#method}, where the class is that of the bean, also if it
     *     inherits the method
     */
    @Nonbinding
    String receiver() default "";

    /**
     * Marks the parameter whose {@code toString()} is the message's id, not null; for an {@link OutboxMessage} its
     * {@link OutboxMessage#id()}. At most one parameter. An array, or an
     * object whose class does not override {@code toString()}, is rejected with {@code OUTBOX-0149}.
     */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.PARAMETER)
    @interface Id {}
}
