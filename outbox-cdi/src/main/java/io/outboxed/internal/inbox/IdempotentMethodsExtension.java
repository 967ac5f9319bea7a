package io.outboxed.internal.inbox;

import io.outboxed.Idempotent;
import io.outboxed.OutboxException;
import io.outboxed.internal.capture.InboxRows;
import io.outboxed.internal.capture.MethodName;
import io.outboxed.internal.capture.check.BusinessMethod;
import io.outboxed.internal.capture.check.ComposedAnnotations;
import io.outboxed.internal.config.FaultTolerancePriority;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.interceptor.Interceptor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Fails the deployment if an {@code @Idempotent} method can't work, and reports all problems at once. */
public class IdempotentMethodsExtension implements Extension {
    /** Sorted, so that the message is the same at each start. */
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
        List<AnnotatedMethod<?>> methods = bean.getMethods().stream()
                // the compiler copies annotations to the bridges of generic methods
                .filter(method -> !method.getJavaMember().isBridge())
                .filter(method -> !BusinessMethod.isOverridden(bean.getJavaClass(), method.getJavaMember()))
                .collect(Collectors.toList());
        ComposedAnnotations.with(Idempotent.class, bean)
                .forEach(annotation -> problems.add("OUTBOX-0151 "
                        + bean.getJavaClass().getName() + " gets @Idempotent by way of @" + annotation
                        + ", which is not supported: remove it from @" + annotation
                        + ", and put it on individual methods"));
        Set<String> receivers = new HashSet<>();
        methods.stream()
                .filter(method -> method.isAnnotationPresent(Idempotent.class))
                .forEach(method -> {
                    check(bean, method, FaultTolerancePriority.configured());
                    distinguish(bean, method.getJavaMember(), receivers);
                });
    }

    /** Overloads have the same receiver by default. One that is given several times is meant to be the same. */
    private void distinguish(AnnotatedType<?> bean, Method method, Set<String> receivers) {
        String receiver = IdempotentInterceptor.receiver(bean.getJavaClass(), method);
        if (!IdempotentInterceptor.isGiven(method) && !receivers.add(receiver)) {
            refuse(
                    "0157",
                    method,
                    "has the same receiver as another method of its bean, " + receiver + ": for one id, only one of"
                            + " them would run. Set @Idempotent(receiver = \"...\")");
        }
    }

    private void check(AnnotatedType<?> bean, AnnotatedMethod<?> method, FaultTolerancePriority faultTolerance) {
        Method java = method.getJavaMember();
        BusinessMethod business = new BusinessMethod(bean, method);
        for (String modifier : business.obstacles()) {
            refuse(
                    "0152",
                    java,
                    "is " + modifier + ": no interceptor is called, so nothing would be skipped. Make it a public,"
                            + " non-final instance method");
        }
        if (business.handlesBatches()) {
            refuse(
                    "0159",
                    java,
                    "takes an EventBatch, whose messages have an id each, so every call would fail. Remove @Idempotent:"
                            + " what a handler of batches writes in its transaction is stored once anyway");
        }
        if (java.getReturnType() != void.class) {
            refuse("0153", java, "returns a value, which a skipped call does not have. Return nothing, or use Inbox");
        }
        for (String annotation : business.exclusions()) {
            refuse(
                    "0154",
                    java,
                    "is " + annotation + ", but the row of the inbox is written in the method's transaction. Use"
                            + " REQUIRED, REQUIRES_NEW or MANDATORY");
        }
        if (business.isInBeanManagedTransactions()) {
            refuse(
                    "0154",
                    java,
                    "is in a bean that manages its own transactions, and none is active when the method is called. Call"
                            + " Inbox.once between begin and commit");
        }
        if ((business.hasRetry() || business.hasFallback()) && business.hasOneTransactionForAllTries(faultTolerance)) {
            refuse(
                    "0158",
                    java,
                    "has " + (business.hasFallback() ? "@Fallback" : "@Retry")
                            + ", which would share its transaction, and that is marked for rollback when a try fails:"
                            + " nothing that a later try or the fallback stores could be committed. Move it to a method"
                            + " that calls this one outside of a transaction");
        }
        List<Parameter> ids = Stream.of(java.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(Idempotent.Id.class))
                .toList();
        if (ids.size() > 1) {
            refuse("0155", java, "has several @Idempotent.Id parameters. Keep one");
        }
        if (ids.stream().anyMatch(parameter -> parameter.getType().isArray())) {
            refuse(
                    "0155",
                    java,
                    "has an array as its @Idempotent.Id: that of a repeated call would have another text, so it would"
                            + " not be recognised. Use a String, a number or a UUID");
        }
        try {
            InboxRows.checkReceiver(IdempotentInterceptor.receiver(bean.getJavaClass(), java));
        } catch (OutboxException e) {
            refuse("0156", java, "has an invalid receiver: " + e.getMessage());
        }
    }

    private void refuse(String code, Method method, String what) {
        problems.add("OUTBOX-" + code + " " + MethodName.of(method) + " " + what);
    }

    void finish(@Observes AfterDeploymentValidation deployment) {
        if (!problems.isEmpty()) {
            OutboxException refusal = new OutboxException(
                    "OUTBOX-0150",
                    Counted.of(problems.size(), "problem") + " with @Idempotent methods; nothing was deployed:\n  "
                            + String.join("\n  ", problems));
            OutboxLog.deploymentRefused(refusal);
            deployment.addDeploymentProblem(refusal);
        }
    }
}
