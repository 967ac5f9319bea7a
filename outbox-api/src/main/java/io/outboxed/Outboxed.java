package io.outboxed;

import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Stores the event of a business method in the transaction of that method.
 *
 * <pre>{@code
 * @Outboxed
 * @Transactional
 * public OrderPlaced place(Order order) {
 *     em.persist(order);
 *     return new OrderPlaced(order.id(), order.item());
 * }
 * }</pre>
 *
 * <p>The returned value is the event. An {@code Optional}, an {@code Iterable} or an array of objects contains none,
 * one or several events, which are stored in its order; a {@code void} method marks the parameter that is its event
 * with {@link Payload}. Null, also as an element, is an error ({@code OUTBOX-0103}): return an empty {@code Optional}
 * if there is no event. On a class the annotation applies to every business method.
 *
 * <p>Works on CDI beans and on session beans, for calls that the container intercepts, but not for calls on {@code
 * this}. A private, static or final method, an asynchronous result, or a method that is declared to have no transaction
 * fails the deployment.
 *
 * <p>Transaction: one must be active when the method returns, or the call fails with an {@link OutboxException} ({@code
 * OUTBOX-0101}) and nothing is stored. If the method throws, or the transaction rolls back, nothing is stored and
 * nothing is delivered. If the method has marked its transaction for rollback and returns, nothing is stored either,
 * without an error. For other errors see {@link Outbox#publish(Object)}.
 */
@Documented
@Inherited
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Outboxed {}
