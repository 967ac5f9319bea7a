package io.outboxed;

import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Stores the event that a business method hands over, in the transaction of that method.
 *
 * <p>The returned value is the event. An {@code Optional}, a collection or an array hands over none, one or several; a
 * {@code void} method names the parameter that is its event with {@link Payload}. Works on CDI beans and on session
 * beans. On a class it applies to every business method.
 *
 * <p>Transaction: one must be active when the method returns, or the call fails with an {@link OutboxException} and
 * nothing is stored. If the method throws, or the transaction rolls back, nothing is stored and nothing is delivered.
 */
@Documented
@Inherited
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Outboxed {}
