package io.outboxed.internal.handlers;

import io.outboxed.EventType;
import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.config.FaultTolerancePriority;
import io.outboxed.internal.handlers.invocation.Demarcation;
import io.outboxed.internal.handlers.invocation.Handler;
import io.outboxed.internal.handlers.invocation.InstanceKind;
import io.outboxed.internal.store.HandlerKey;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.stream.Stream;

/** An observer of the outbox's events, before it is checked and becomes a handler. */
record HandlerCandidate(
        ObserverMethodInfo observation,
        ObserverMethod<Object> observer,
        Demarcation demarcation,
        Optional<Transactional.TxType> transactional) {

    static HandlerCandidate of(ObserverMethodInfo observation, ObserverMethod<Object> observer, BeanManager beans) {
        return new HandlerCandidate(
                observation, observer, DemarcationRules.of(observation, beans), observation.transactional(beans));
    }

    HandlerKey key() {
        return new HandlerKey(type(), name());
    }

    String type() {
        return observation.ofAnyType()
                ? HandlerKey.ANY_TYPE
                : eventType().map(EventType::value).orElse("");
    }

    /** Empty if no annotation gives one. */
    Optional<EventType> eventType() {
        return observation.raw()
                ? Optional.ofNullable(observation.event().getAnnotation(EventType.class))
                : EventTypes.nameOf(observation.eventClass());
    }

    String name() {
        HandlerName name = observation.method().getAnnotation(HandlerName.class);
        return name != null
                ? name.value()
                : observation.beanClass().getSimpleName() + "."
                        + observation.javaMethod().getName();
    }

    String group() {
        return givenGroup().orElse(observation.beanClass().getSimpleName());
    }

    Optional<String> givenGroup() {
        return Stream.of(observation.method(), observation.bean())
                .flatMap(annotated -> Stream.ofNullable(annotated.getAnnotation(HandlerGroup.class)))
                .findFirst()
                .map(HandlerGroup::value);
    }

    /** Describes what keeps one transaction open around all retries of Fault Tolerance; empty if nothing does. */
    Optional<String> outerTransaction(FaultTolerancePriority priority) {
        if (observation.onSessionBean()) {
            return observation.suspendsTransactions() ? Optional.empty() : Optional.of("a session bean's transaction");
        }
        if (demarcation == Demarcation.AROUND && transactional.isEmpty()) {
            return Optional.of("`private` or `final`");
        }
        return transactional
                .filter(type -> switch (type) {
                    case REQUIRED, REQUIRES_NEW -> demarcation == Demarcation.AROUND || priority.insideTransactional();
                    case MANDATORY, SUPPORTS -> true;
                    case NOT_SUPPORTED, NEVER -> false;
                })
                .map(type -> "@Transactional(" + type + ")");
    }

    /** By an interceptor of the container. */
    boolean startsOwnTransaction() {
        return !observation.onSessionBean()
                && transactional
                        .filter(Transactional.TxType.REQUIRES_NEW::equals)
                        .isPresent();
    }

    private InstanceKind instance() {
        if (observer.getDeclaringBean().getScope() != Dependent.class) {
            return InstanceKind.OF_SCOPE;
        }
        return observation.onSessionBean() ? InstanceKind.OF_CONTAINER : InstanceKind.OF_CALL;
    }

    Handler handler() {
        return new Handler(
                key(),
                group(),
                observation.eventClass(),
                observation.batch(),
                demarcation,
                instance(),
                observer,
                observation.javaMethod());
    }
}
