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
 * one or several events, which are stored in its order. A value whose class has an {@link EventType} is one event,
 * even if the class is {@code Iterable}. A {@code void} method marks the parameter that is its event with {@link
 * Payload}. Null, also as an element, is an error ({@code OUTBOX-0103}): return an empty {@code Optional} if there is
 * no event.
 *
 * <p>On a class the annotation applies to every business method, including inherited ones and observers. Each {@code
 * void} one without {@link Payload} fails the deployment ({@code OUTBOX-0125}).
 *
 * <p>Works on CDI beans and on session beans, for calls that the container intercepts. It has no effect for calls on
 * {@code this}, on objects created with {@code new}, or if only an interface of the bean has the annotation. A private,
 * static or final method, an asynchronous result, or a method that is declared to have no transaction fails the
 * deployment. So does MicroProfile's {@code @Fallback}: what the fallback returns would not be stored. So does an
 * annotation of the application that brings this one along, such as a stereotype: remove this one from it, and put it
 * on the class or its methods.
 *
 * <p>{@code @Retry} of MicroProfile Fault Tolerance fails the deployment too, except on a handler: all tries would
 * share one transaction, which is lost or keeps what the failed tries have written. Put it on a method outside of the
 * transaction, which calls this one. It is allowed here if {@code mp.fault.tolerance.interceptor.priority} is below
 * 200: then each try that {@code @Transactional} begins a transaction for has its own.
 *
 * <p>Transaction: one must be active when the method is called, or the method does not run and the call fails with an
 * {@link OutboxException} ({@code OUTBOX-0101}). The same one must still be active when the method returns. If the
 * method throws, or the transaction rolls back, nothing is stored and nothing is delivered. For other errors see {@link
 * Outbox#publish(Object)}.
 *
 * <p>If the transaction is marked for rollback before the call, for example by an earlier try or by a failed call whose
 * exception was caught, the method is not called ({@code OUTBOX-0102}); retry the whole transaction. If the method
 * itself marks the transaction and returns, nothing is stored, without an error: what it returns is an answer to its
 * caller. On Payara, a transaction timeout that passes during the call only marks it too: the method returns as usual,
 * and neither the event nor its data are stored. If the method catches an exception of the outbox that has marked the
 * transaction, the call fails ({@code OUTBOX-0102}).
 *
 * <p>Order: events of one aggregate are delivered in order if the transactions that change it wait for each other. A
 * version ({@code @Version}) or a lock of the application ensures that, and so does {@link #serialize()}.
 */
@Documented
@Inherited
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Outboxed {

    /**
     * Locks the aggregate before the method is called, until its transaction ends. Other calls of methods with {@code
     * serialize} for the same aggregate wait, on all nodes. If the application has neither a version nor a lock of its
     * own, use this on every method that publishes events of the aggregate.
     *
     * <p>The method needs one {@link AggregateId} parameter, or the deployment fails: the aggregate must be known
     * before the call. Data that the transaction has read before may be stale once it has the lock.
     *
     * <p>After a lock timeout or a deadlock in the database, the call fails with an {@link OutboxException} ({@code
     * OUTBOX-0117}) and the transaction is marked for rollback. Transactions that lock several aggregates can deadlock,
     * in whatever order they lock them: aggregates share locks by their hash. A suspended transaction keeps its lock:
     * do not call a serialised method in a new transaction ({@code REQUIRES_NEW}) from inside another one, or it may
     * wait for its own caller.
     *
     * @return true if calls for one aggregate wait for each other
     */
    boolean serialize() default false;
}
