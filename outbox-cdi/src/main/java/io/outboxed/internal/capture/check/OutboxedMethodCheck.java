package io.outboxed.internal.capture.check;

import io.outboxed.AggregateId;
import io.outboxed.Outboxed;
import io.outboxed.Payload;
import io.outboxed.internal.capture.MethodName;
import io.outboxed.internal.config.FaultTolerancePriority;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedParameter;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

/** Checks one {@code @Outboxed} method and reports each problem: code, method, what is wrong, what to do. */
final class OutboxedMethodCheck {
    private final AnnotatedType<?> bean;
    private final AnnotatedMethod<?> method;
    private final Method java;
    private final BusinessMethod business;
    private final FaultTolerancePriority faultTolerance;
    private final List<String> problems = new ArrayList<>();

    private OutboxedMethodCheck(
            AnnotatedType<?> bean, AnnotatedMethod<?> method, FaultTolerancePriority faultTolerance) {
        this.bean = bean;
        this.method = method;
        this.java = method.getJavaMember();
        this.business = new BusinessMethod(bean, method);
        this.faultTolerance = faultTolerance;
    }

    static List<String> problems(
            AnnotatedType<?> bean,
            AnnotatedMethod<?> method,
            EventClassCheck events,
            FaultTolerancePriority faultTolerance) {
        OutboxedMethodCheck check = new OutboxedMethodCheck(bean, method, faultTolerance);
        check.interceptable();
        check.transaction();
        check.fallback();
        check.retry();
        check.parameters();
        check.event(events);
        return check.problems;
    }

    private void interceptable() {
        for (String modifier : business.obstacles()) {
            refuse(
                    "0121",
                    "is " + modifier + ": no interceptor is called, so nothing would be stored. Make it a"
                            + " public, non-final instance method");
        }
    }

    private void transaction() {
        for (String annotation : business.exclusions()) {
            refuse(
                    "0122",
                    "is " + annotation + ", but an event is stored in the method's transaction. Use REQUIRED,"
                            + " REQUIRES_NEW or MANDATORY");
        }
        if (business.isInBeanManagedTransactions()) {
            refuse(
                    "0123",
                    "is in a bean that manages its own transactions, which are over when the method returns. Call"
                            + " Outbox.publish between begin and commit");
        }
    }

    /** Fault Tolerance comes outside the storing of events, and inside the method's transaction. */
    private void fallback() {
        if (business.hasFallback()) {
            refuse(
                    "0133",
                    "has @Fallback: the fallback's value would be returned and the transaction committed, but no event"
                            + " would be stored. Move @Fallback to a method that calls this one, and publish the"
                            + " fallback's event there");
        }
    }

    private void retry() {
        if (business.hasRetry() && business.hasOneTransactionForAllTries(faultTolerance)) {
            refuse(
                    "0134",
                    "has @Retry: all tries would share one transaction. After a failure that marks it for rollback no"
                            + " try can succeed; otherwise, what failed tries have written is committed too. Move"
                            + " @Retry to a method that calls this one outside of a transaction");
        }
    }

    private void parameters() {
        if (count(Payload.class) > 1) {
            refuse(
                    "0124",
                    "has " + count(Payload.class) + " @Payload parameters. Keep one; to publish several events, use one"
                            + " parameter that is a collection");
        }
        if (count(AggregateId.class) > 1) {
            refuse("0124", "has " + count(AggregateId.class) + " @AggregateId parameters. Keep one");
        }
        if (method.getParameters().stream()
                .filter(parameter -> parameter.isAnnotationPresent(AggregateId.class))
                .anyMatch(parameter -> parameter.getJavaParameter().getType().isArray())) {
            refuse(
                    "0136",
                    "has an array as its @AggregateId: an equal one would have another text. Use a String, a number or"
                            + " a UUID");
        }
        if (isSerialized() && count(AggregateId.class) == 0) {
            refuse(
                    "0132",
                    "is @Outboxed(serialize = true), but has no @AggregateId parameter: the aggregate has to be known"
                            + " before the call. Mark the parameter that contains its id, or remove serialize"
                            + (method.isAnnotationPresent(Outboxed.class) ? "" : fromTheClass()));
        }
    }

    private boolean isSerialized() {
        Outboxed own = method.getAnnotation(Outboxed.class);
        return (own != null ? own : bean.getAnnotation(Outboxed.class)).serialize();
    }

    private void event(EventClassCheck events) {
        boolean returnsNothing = java.getReturnType() == void.class || java.getReturnType() == Void.class;
        if (count(Payload.class) == 0) {
            if (returnsNothing) {
                refuse(
                        "0125",
                        "returns nothing, so there is no event. Return the event, or mark the parameter that is"
                                + " the event with @Payload"
                                + (method.isAnnotationPresent(Outboxed.class) ? "" : fromTheClass()));
            } else {
                events.check(java.getGenericReturnType(), "returns", this::refuse);
            }
        } else if (returnsNothing) {
            events.check(payloadType(), "has a @Payload of", this::refuse);
        } else {
            refuse(
                    "0126",
                    "returns a value and has a @Payload parameter: it is unclear which one is the event. Remove"
                            + " @Payload, or return nothing");
        }
    }

    private static String fromTheClass() {
        return ", or put @Outboxed on individual methods instead of the class";
    }

    private Type payloadType() {
        return method.getParameters().stream()
                .filter(parameter -> parameter.isAnnotationPresent(Payload.class))
                .map(AnnotatedParameter::getJavaParameter)
                .findFirst()
                .orElseThrow()
                .getParameterizedType();
    }

    private long count(Class<? extends Annotation> annotation) {
        return method.getParameters().stream()
                .filter(parameter -> parameter.isAnnotationPresent(annotation))
                .count();
    }

    private void refuse(String code, String what) {
        problems.add("OUTBOX-" + code + " " + MethodName.of(java) + " " + what);
    }
}
