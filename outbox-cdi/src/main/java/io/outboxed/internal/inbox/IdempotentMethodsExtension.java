package io.outboxed.internal.inbox;

import io.outboxed.Idempotent;
import io.outboxed.OutboxException;
import io.outboxed.internal.capture.MethodName;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.interceptor.Interceptor;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Fails the deployment if an {@code @Idempotent} method can't work, and says all that is wrong at once. */
public class IdempotentMethodsExtension implements Extension {
    /** In the order of their texts, so that the message is the same at each start. */
    private final SortedSet<String> problems = new TreeSet<>();

    /** Session beans as well. */
    void check(@Observes ProcessManagedBean<?> found) {
        AnnotatedType<?> bean = found.getAnnotatedBeanClass();
        if (bean.isAnnotationPresent(Interceptor.class)) {
            return;
        }
        if (bean.isAnnotationPresent(Idempotent.class)) {
            problems.add("OUTBOX-0151 " + bean.getJavaClass().getName()
                    + " is annotated as a class: put @Idempotent on individual methods");
        }
        bean.getMethods().stream()
                .filter(method -> method.isAnnotationPresent(Idempotent.class))
                .forEach(method -> check(bean, method));
    }

    private void check(AnnotatedType<?> bean, AnnotatedMethod<?> method) {
        Method java = method.getJavaMember();
        Stream.of("private", "static", "final")
                .filter(List.of(Modifier.toString(java.getModifiers()).split(" "))::contains)
                .forEach(modifier -> refuse(
                        "0152",
                        java,
                        "is " + modifier + ": no interceptor is called, so nothing would be skipped. Make it a public,"
                                + " non-final instance method"));
        if (java.getReturnType() != void.class) {
            refuse("0153", java, "returns a value, which a skipped call does not have. Return nothing, or use Inbox");
        }
        Stream.of("jakarta.transaction.Transactional", "jakarta.ejb.TransactionAttribute")
                .flatMap(annotation -> nearest(annotation, bean, method).stream())
                .filter(List.of("NEVER", "NOT_SUPPORTED")::contains)
                .forEach(value -> refuse(
                        "0154",
                        java,
                        "never runs in a transaction (" + value + "), but the row of the inbox is written in the"
                                + " method's transaction. Use REQUIRED, REQUIRES_NEW or MANDATORY"));
        if (nearest("jakarta.ejb.TransactionManagement", bean, method)
                .filter("BEAN"::equals)
                .isPresent()) {
            refuse(
                    "0154",
                    java,
                    "is in a bean that manages its own transactions, and none is active when the method is called. Call"
                            + " Inbox.once between begin and commit");
        }
        if (Stream.of(java.getParameters())
                        .filter(parameter -> parameter.isAnnotationPresent(Idempotent.Id.class))
                        .count()
                > 1) {
            refuse("0155", java, "has several @Idempotent.Id parameters. Keep one");
        }
    }

    private void refuse(String code, Method method, String what) {
        problems.add("OUTBOX-" + code + " " + MethodName.of(method) + " " + what);
    }

    /** The value, by name: a server without EJB does not have these classes. */
    private static Optional<String> nearest(String annotation, AnnotatedType<?> bean, AnnotatedMethod<?> method) {
        return Stream.concat(method.getAnnotations().stream(), bean.getAnnotations().stream())
                .filter(found -> found.annotationType().getName().equals(annotation))
                .findFirst()
                .map(IdempotentMethodsExtension::value);
    }

    private static String value(Annotation annotation) {
        try {
            return String.valueOf(annotation.annotationType().getMethod("value").invoke(annotation));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(annotation + " has no readable value", e);
        }
    }

    void finish(@Observes AfterDeploymentValidation deployment) {
        if (!problems.isEmpty()) {
            deployment.addDeploymentProblem(new OutboxException(
                    "OUTBOX-0150",
                    problems.size() + (problems.size() == 1 ? " problem" : " problems")
                            + " with @Idempotent methods, nothing was deployed:\n  " + String.join("\n  ", problems)));
        }
    }
}
