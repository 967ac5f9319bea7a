package io.outboxed.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test class whose handlers run in this process, without a server: CDI (Weld), JTA (Narayana), the persistence units of
 * the class path (Hibernate) and an in-memory H2, started once for the class. Before each test the database is as it was
 * after the start, and each test has a request context of its own. Tests inject beans and resources into their fields,
 * and beans and {@link OutboxTester} into their parameters.
 *
 * <pre>
 * &#64;OutboxTest
 * class RemindersTest {
 *     &#64;Inject Desk desk;
 *
 *     &#64;Test
 *     void a_loan_sets_a_reminder(OutboxTester outbox) {
 *         desk.lend("emma", "ada");
 *         outbox.drain();
 *         assertEquals(1, outbox.calls("Reminders.remind").size());
 *     }
 * }
 * </pre>
 *
 * <p>Classes with this annotation run one at a time. Session beans need a server. Interceptors, decorators and
 * alternatives need a {@code @Priority}: no {@code beans.xml} is read.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(OutboxExtension.class)
@ResourceLock("io.outboxed.testkit.OutboxTest")
public @interface OutboxTest {

    /**
     * The application's beans. By default all classes with a bean-defining annotation in the test's package and below,
     * without those that are nested in other classes with {@link OutboxTest}, except in the test's superclasses.
     *
     * @return the classes of the beans, with or without such an annotation
     */
    Class<?>[] value() default {};

    /**
     * Configuration for this test, each as {@code key=value}. It takes precedence over files, system properties and the
     * environment. The database, {@code outbox.schema}, {@code outbox.on-success}, {@code outbox.history.partition},
     * {@code outbox.relay.shards} and {@code outbox.relay.claim} are refused: the kit decides them. Jitter, metrics and
     * tracing are off by default.
     *
     * @return for example {@code "outbox.retry.max-attempts=3"}
     */
    String[] settings() default {};
}
