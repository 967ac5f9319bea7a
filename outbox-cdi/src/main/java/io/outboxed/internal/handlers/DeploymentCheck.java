package io.outboxed.internal.handlers;

import io.outboxed.AnyEvent;
import io.outboxed.Delivered;
import io.outboxed.EventType;
import io.outboxed.internal.capture.json.JsonbReadable;
import io.outboxed.internal.config.FaultTolerancePriority;
import io.outboxed.internal.handlers.invocation.DeliveryAttemptInterceptor;
import io.outboxed.internal.handlers.invocation.Handler;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.spi.FailureClassifier;
import io.outboxed.spi.FailureHandler;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Turns observers into handlers and collects all problems, so that they are reported together. */
final class DeploymentCheck {
    private static final Set<Class<?>> OWN_QUALIFIERS =
            Set.of(Any.class, Delivered.class, EventType.class, AnyEvent.class);

    private final BeanManager beans;
    private final boolean jsonb;
    private final FaultTolerancePriority priority = FaultTolerancePriority.configured();
    private final Map<HandlerKey, HandlerCandidate> handlers = new LinkedHashMap<>();
    private final Map<String, Class<?>> eventClasses = new HashMap<>();
    private final Map<String, HandlerCandidate> names = new HashMap<>();
    private final Map<String, Class<?>> beansAsGroups = new HashMap<>();
    private final Set<Class<?>> beansOfOneName = new HashSet<>();
    private final List<String> problems = new ArrayList<>();

    DeploymentCheck(BeanManager beans) {
        this.beans = beans;
        this.jsonb = JsonbReadable.isDefault(beans);
    }

    @SuppressWarnings("unchecked")
    void observer(ObserverMethodInfo observation, ObserverMethod<?> observer) {
        Set<Annotation> foreign = foreignQualifiers(observer);
        if (!foreign.isEmpty()) {
            OutboxLog.observerIsNoHandler(observation.toString(), foreign.toString());
            return;
        }
        HandlerCandidate candidate = HandlerCandidate.of(observation, (ObserverMethod<Object>) observer, beans);
        List<String> refusals = HandlerRules.of(candidate, priority, jsonb);
        problems.addAll(refusals);
        if (refusals.isEmpty()) {
            add(candidate);
        }
    }

    static Set<Annotation> foreignQualifiers(ObserverMethod<?> observer) {
        return observer.getObservedQualifiers().stream()
                .filter(qualifier -> !OWN_QUALIFIERS.contains(qualifier.annotationType()))
                .collect(Collectors.toSet());
    }

    private void add(HandlerCandidate candidate) {
        sameName(candidate)
                .ifPresent(same -> problems.add("OUTBOX-0513 " + candidate.observation() + " and "
                        + same.observation() + " have the same handler name " + candidate.name() + " for the type "
                        + (candidate.key().isOfAnyType() ? same : candidate).type()
                        + ": their retries would be mixed up. Give one of them a @HandlerName"));
        handlers.putIfAbsent(candidate.key(), candidate);
        group(candidate);
        Class<?> event = candidate.observation().eventClass();
        Class<?> other = candidate.observation().raw() ? event : eventClasses.putIfAbsent(candidate.type(), event);
        if (other != null && other != event) {
            problems.add("OUTBOX-0514 " + event.getName() + " and " + other.getName() + " both have the event type "
                    + candidate.type() + ": a type belongs to one class. Change one @EventType");
        }
    }

    /** Another handler of this name that gets some of the same events. */
    private Optional<HandlerCandidate> sameName(HandlerCandidate candidate) {
        HandlerKey key = candidate.key();
        return handlers.values().stream()
                .filter(other -> other.name().equals(key.handler()))
                .filter(other -> key.isOfAnyType()
                        || other.key().isOfAnyType()
                        || other.type().equals(key.type()))
                .findFirst();
    }

    private void group(HandlerCandidate candidate) {
        HandlerCandidate same = names.putIfAbsent(candidate.name(), candidate);
        if (same != null && !same.group().equals(candidate.group())) {
            problems.add("OUTBOX-0518 " + candidate.observation() + " and " + same.observation()
                    + " have the same handler name " + candidate.name() + " but the groups " + candidate.group()
                    + " and "
                    + same.group()
                    + ": a name belongs to one group. Give one of them a @HandlerName, or both the same @HandlerGroup");
        }
        if (candidate.givenGroup().isEmpty()) {
            Class<?> bean = candidate.observation().beanClass();
            Class<?> other = beansAsGroups.putIfAbsent(candidate.group(), bean);
            if (other != null && other != bean && beansOfOneName.add(bean)) {
                problems.add("OUTBOX-0519 " + bean.getName() + " and " + other.getName()
                        + " would both be the handler group "
                        + candidate.group()
                        + ", and wait for each other. Give one of them a @HandlerGroup, or both the same"
                        + " one if that is intended");
            }
        }
    }

    /** Beside one without a qualifier, it may be a part of that one. */
    private void warnOfUnused(Class<?> type) {
        if (beans.getBeans(type).isEmpty()) {
            beans.getBeans(type, Any.Literal.INSTANCE)
                    .forEach(bean -> OutboxLog.unused(type, bean.getBeanClass().getName()));
        }
    }

    void application() {
        SplitAggregates.warn(handlers.values());
        List.of(FailureClassifier.class, FailureHandler.class).forEach(this::warnOfUnused);
        try {
            beans.resolve(beans.getBeans(FailureClassifier.class));
        } catch (AmbiguousResolutionException e) {
            problems.add("OUTBOX-0515 there are several FailureClassifier beans ("
                    + beans.getBeans(FailureClassifier.class).stream()
                            .map(bean -> bean.getBeanClass().getName())
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + "): only one is allowed. Remove the others, or make one an @Alternative with a @Priority");
        }
        if (priority.value() >= DeliveryAttemptInterceptor.PRIORITY) {
            problems.add("OUTBOX-0516 " + FaultTolerancePriority.KEY + "=" + priority.value() + ": expected less than "
                    + DeliveryAttemptInterceptor.PRIORITY
                    + ", or all retries of Fault Tolerance would share one delivery transaction");
        }
    }

    /** Those that handlers observe. */
    Collection<Class<?>> eventClasses() {
        return eventClasses.values();
    }

    List<String> problems() {
        return problems;
    }

    Handlers handlers() {
        return new Handlers(handlers.values().stream()
                .map(HandlerCandidate::handler)
                .collect(Collectors.toMap(Handler::key, handler -> handler)));
    }
}
