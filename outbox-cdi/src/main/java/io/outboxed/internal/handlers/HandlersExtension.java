package io.outboxed.internal.handlers;

import io.outboxed.DeadLetter;
import io.outboxed.OutboxException;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.handlers.invocation.DeliveryAttempt;
import io.outboxed.internal.handlers.invocation.Demarcation;
import io.outboxed.internal.handlers.invocation.WatchedCreation;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessInjectionTarget;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessObserverMethod;
import jakarta.enterprise.inject.spi.ProcessSyntheticObserverMethod;
import jakarta.enterprise.inject.spi.WithAnnotations;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the handlers among the application's observers at deployment, and fails the deployment if one can't work. */
public class HandlersExtension implements Extension {
    private final Map<Class<?>, AnnotatedType<?>> beans = new HashMap<>();
    private final List<Found> observers = new ArrayList<>();
    private Handlers handlers = Handlers.NONE;

    /** Each retry of a transactional handler must run in its own transaction, so this comes inside Fault Tolerance. */
    <T> void bindAttempts(
            @Observes @WithAnnotations({Observes.class, ObservesAsync.class}) ProcessAnnotatedType<T> type,
            BeanManager manager) {
        AnnotatedType<T> bean = type.getAnnotatedType();
        Set<Method> bound = bean.getMethods().stream()
                .flatMap(method -> ObserverMethodInfo.of(bean, method).stream())
                .filter(observation -> hasAttempts(observation, DemarcationRules.of(observation, manager)))
                .map(ObserverMethodInfo::javaMethod)
                .collect(Collectors.toSet());
        if (!bound.isEmpty()) {
            type.configureAnnotatedType()
                    .filterMethods(method -> bound.contains(method.getJavaMember()))
                    .forEach(method -> method.add(DeliveryAttempt.Literal.INSTANCE));
        }
    }

    private static boolean hasAttempts(ObserverMethodInfo observation, Demarcation demarcation) {
        return switch (demarcation) {
            case EACH_ATTEMPT -> true;
            case AROUND -> false;
            case OUTSIDE -> observation.isRetried() && observation.canBeIntercepted();
        };
    }

    /** Not on session beans, whose instances are those of another container. */
    <T> void watchCreation(@Observes ProcessInjectionTarget<T> creation) {
        AnnotatedType<T> bean = creation.getAnnotatedType();
        boolean handles = bean.getMethods().stream()
                .flatMap(method -> ObserverMethodInfo.of(bean, method).stream())
                .anyMatch(observation -> !observation.onSessionBean());
        if (handles) {
            creation.setInjectionTarget(new WatchedCreation<>(bean.getJavaClass(), creation.getInjectionTarget()));
        }
    }

    void rememberBean(@Observes ProcessManagedBean<?> bean) {
        beans.put(bean.getBean().getBeanClass(), bean.getAnnotatedBeanClass());
    }

    void rememberObserver(@Observes ProcessObserverMethod<?, ?> observer) {
        if (!(observer instanceof ProcessSyntheticObserverMethod)) {
            observers.add(new Found(observer.getObserverMethod(), observer.getAnnotatedMethod()));
        }
    }

    void finish(@Observes AfterDeploymentValidation deployment, BeanManager manager) {
        DeploymentCheck check = new DeploymentCheck(manager);
        // containers find observers in any order; messages are reported in a fixed one
        observers.sort(Comparator.comparing(Found::name));
        observers.forEach(found -> check(found, check));
        check.application();
        SupertypeObservers.warn(observers, check.eventClasses(), beans.values());
        observers.clear();
        beans.clear();
        handlers = check.handlers();
        if (check.problems().isEmpty()) {
            OutboxLog.handlersFound(handlers.keys().size(), handlers.types());
        } else {
            OutboxException refusal = refusal(check.problems());
            OutboxLog.deploymentRefused(refusal);
            deployment.addDeploymentProblem(refusal);
        }
    }

    private void check(Found found, DeploymentCheck check) {
        if (found.observer.isAsync() && found.observer.getObservedType() == DeadLetter.class) {
            OutboxLog.asyncDeadLetterObserver(found.observer.getBeanClass().getName() + "."
                    + found.method.getJavaMember().getName() + "(DeadLetter)");
        }
        AnnotatedType<?> bean = beans.get(found.observer.getBeanClass());
        if (bean != null) {
            ObserverMethodInfo.of(bean, found.method)
                    .ifPresent(observation -> check.observer(observation, found.observer));
        }
    }

    private static OutboxException refusal(List<String> problems) {
        return new OutboxException(
                "OUTBOX-0500",
                Counted.of(problems.size(), "problem") + " with event handlers; nothing was deployed:\n  "
                        + String.join("\n  ", problems));
    }

    Handlers handlers() {
        return handlers;
    }

    record Found(ObserverMethod<?> observer, AnnotatedMethod<?> method) {

        private String name() {
            return observer.getBeanClass().getName() + method.getJavaMember().toGenericString();
        }
    }
}
