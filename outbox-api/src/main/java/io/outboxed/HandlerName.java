package io.outboxed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The stable name of a handler, under which its retries and dead letters are kept in the database. By default it is
 * {@code SimpleClassName.method}, so after a rename of the class or the method it is a different handler. 1 to 128
 * characters: letters, digits, {@code .}, {@code _} and {@code -}.
 *
 * @see HandlerGroup
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface HandlerName {
    /**
     * The handler's name. Two handlers of one event type can't have the same name.
     *
     * @return 1 to 128 characters: ASCII letters, digits, {@code .}, {@code _} and {@code -}
     */
    String value();
}
