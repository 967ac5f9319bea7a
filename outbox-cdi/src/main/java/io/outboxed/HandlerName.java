package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stable name of a handler, under which its retries and dead letters are kept in the database. Without it the name is
 * {@code SimpleClassName.method}. 1 to 128 characters: letters, digits, {@code .}, {@code _} and {@code -}.
 *
 * @see HandlerGroup
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface HandlerName {
    String value();
}
