package io.outboxed.internal.handlers;

import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.internal.capture.AddressCheck;
import io.outboxed.internal.capture.event.AsyncResult;
import io.outboxed.internal.capture.json.JsonbReadable;
import io.outboxed.internal.config.FaultTolerancePriority;
import io.outboxed.internal.handlers.invocation.Demarcation;
import io.outboxed.internal.store.HandlerNames;
import jakarta.enterprise.event.Reception;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.spi.EventMetadata;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks whether an observer can be a handler, and reports each problem: code, method, what is wrong, what to do. */
final class HandlerRules {
    private static final List<String> ASYNCHRONOUS = List.of(
            "org.eclipse.microprofile.faulttolerance.Asynchronous",
            "jakarta.ejb.Asynchronous",
            "jakarta.enterprise.concurrent.Asynchronous");
    private static final List<String> REPEATING = List.of(
            "org.eclipse.microprofile.faulttolerance.Retry", "org.eclipse.microprofile.faulttolerance.Fallback");

    /**
     * Scopes whose contexts a delivery never has: that of a transaction ends before its bean is looked up. Others may
     * be activated by a {@link io.outboxed.spi.ContextPropagator}. By name: a server may lack Faces.
     */
    private static final Set<String> NEVER_ACTIVE = Set.of(
            "jakarta.enterprise.context.SessionScoped",
            "jakarta.enterprise.context.ConversationScoped",
            "jakarta.transaction.TransactionScoped",
            "jakarta.faces.view.ViewScoped",
            "jakarta.faces.flow.FlowScoped");

    private final ObserverMethodInfo observation;
    private final List<String> problems = new ArrayList<>();

    private HandlerRules(ObserverMethodInfo observation) {
        this.observation = observation;
    }

    /** @param jsonb whether payloads are read by JSON-B, and not by a codec of the application */
    static List<String> of(HandlerCandidate candidate, FaultTolerancePriority priority, boolean jsonb) {
        HandlerRules refusals = new HandlerRules(candidate.observation());
        refusals.method(candidate, candidate.observer());
        refusals.event();
        if (jsonb && !candidate.observation().raw() && candidate.eventType().isPresent()) {
            refusals.payload();
        }
        if (candidate.observation().batch()) {
            refusals.batch(candidate);
        }
        refusals.names(candidate);
        refusals.retries(candidate, priority);
        return refusals.problems;
    }

    private void asynchronous() {
        List<Annotation> found = ASYNCHRONOUS.stream()
                .flatMap(name -> observation.onMethodOrAnyClass(name).stream())
                .toList();
        found.forEach(each -> refuse(
                "0504",
                "is @" + each.annotationType().getName()
                        + ": it returns before its work is done. Remove the annotation"));
        Class<?> result = observation.javaMethod().getReturnType();
        if (found.isEmpty() && AsyncResult.is(result)) {
            refuse(
                    "0504",
                    "returns a " + result.getSimpleName() + ": it returns before its work is done, and the relay would"
                            + " not learn how that ends. Wait for the result in the handler, and return nothing");
        }
    }

    private void method(HandlerCandidate candidate, ObserverMethod<?> observer) {
        if (observation.async()) {
            refuse("0501", "is @ObservesAsync, but the relay must know how it ended. Use @Observes");
        }
        if (observer.getTransactionPhase() != TransactionPhase.IN_PROGRESS) {
            refuse(
                    "0502",
                    "observes during " + observer.getTransactionPhase() + ", where failures are lost. Remove `during`");
        }
        if (observer.getReception() == Reception.IF_EXISTS) {
            refuse(
                    "0503",
                    "is notified IF_EXISTS: without an existing bean instance it would count as done. Remove"
                            + " `notifyObserver`");
        }
        if (observation.takes(EventMetadata.class)) {
            refuse(
                    "0525",
                    "takes an EventMetadata, which would be null: a delivery has none. Take an OutboxMessage instead,"
                            + " and to tell deliveries from events that the application fires, observe with"
                            + " @Delivered");
        }
        asynchronous();
        if (candidate.startsOwnTransaction() && !observation.isStatic() && !observation.canBeIntercepted()) {
            refuse(
                    "0526",
                    "is @Transactional(REQUIRES_NEW), but it is private, final, or inherited from a class that is not"
                            + " public, so that the container may not begin its transaction. Make it a public method of"
                            + " a public class");
        }
        Class<? extends Annotation> scope = observer.getDeclaringBean().getScope();
        if (NEVER_ACTIVE.contains(scope.getName())) {
            refuse(
                    "0505",
                    "is in a @" + scope.getSimpleName()
                            + " bean: this scope is not active when the relay calls a handler. Move it to an"
                            + " @ApplicationScoped bean");
        }
        if (observation.isStatic()) {
            refuse(
                    "0506",
                    "is static: neither its transaction nor Fault Tolerance would apply. Make it an instance method");
        }
    }

    private void event() {
        if (!observation.raw() && observation.event().isAnnotationPresent(EventType.class)) {
            refuse(
                    "0507",
                    "has the qualifier @EventType on a "
                            + observation.eventClass().getSimpleName()
                            + " parameter. Observe an OutboxMessage, or put @EventType on the event's class");
        }
        boolean ofOneType = observation.event().isAnnotationPresent(EventType.class);
        if (observation.raw() && !ofOneType && !observation.ofAnyType()) {
            refuse(
                    "0508",
                    "observes an OutboxMessage without a type. Write @Observes @EventType(\"...\") OutboxMessage, or"
                            + " @Observes @AnyEvent OutboxMessage for the events of every type");
        }
        if (ofOneType && observation.ofAnyType()) {
            refuse("0520", "has the qualifiers @EventType and @AnyEvent: one type, or every type. Remove one of them");
        }
        if (observation.ofAnyType() && !observation.raw()) {
            refuse(
                    "0521",
                    "has the qualifier @AnyEvent on a "
                            + observation.eventClass().getSimpleName()
                            + " parameter: events of every type have no common class. Observe an OutboxMessage");
        }
        if (observation.observed() instanceof ParameterizedType generic) {
            refuse(
                    "0509",
                    "observes " + generic.getTypeName()
                            + ": its type arguments can't be restored from the payload. Observe a class without type"
                            + " arguments");
        }
    }

    private void payload() {
        Class<?> event = observation.eventClass();
        JsonbReadable.obstacle(event)
                .ifPresent(obstacle -> refuse(
                        "0527",
                        "observes " + event.getSimpleName() + ", which " + obstacle
                                + ": JSON-B can't read one, so each event would become a dead letter. Observe a"
                                + " public record with one constructor, or a public class with a constructor"
                                + " without parameters or a @JsonbCreator; or annotate it with"
                                + " @JsonbTypeInfo, @JsonbTypeDeserializer or @JsonbTypeAdapter; or provide"
                                + " a PayloadCodec"));
    }

    private void batch(HandlerCandidate candidate) {
        // one with type arguments of its own is refused anyway
        boolean ofAClass =
                observation.observed() instanceof Class<?> || observation.observed() instanceof ParameterizedType;
        boolean known = observation.raw() || candidate.eventType().isPresent();
        if (!ofAClass || !known && !observation.ofAnyType()) {
            refuse(
                    "0522",
                    "observes " + observation.event().getBaseType().getTypeName()
                            + ": expected an EventBatch of a class with an @EventType, or of OutboxMessage. Name the"
                            + " class as its type argument");
        }
        if (candidate.demarcation() == Demarcation.OUTSIDE) {
            refuse(
                    "0523",
                    "takes a batch outside the delivery's transaction: without it some of the events could be done"
                            + " and others not. Remove the annotation that suspends the transaction, or observe single"
                            + " events");
        }
        if (observation.takes(OutboxMessage.class)) {
            refuse(
                    "0524",
                    "takes a batch and an OutboxMessage, but the batch has one for each of its events. Remove the"
                            + " parameter, and take them from EventBatch.messages()");
        }
    }

    private void names(HandlerCandidate candidate) {
        if (!observation.ofAnyType() && candidate.eventType().isPresent() && !AddressCheck.isType(candidate.type())) {
            refuse(
                    "0510",
                    "handles the event type \"" + candidate.type()
                            + "\": expected 1 to 128 letters, digits, '.', '_', '-', ':' or '/'. Change @EventType");
        }
        if (!HandlerNames.isPossible(candidate.name())) {
            refuse(
                    "0511",
                    "has the handler name \"" + candidate.name()
                            + "\": expected 1 to 128 letters, digits, '.', '_' or '-'. Add a valid @HandlerName");
        }
        if (!HandlerNames.isPossible(candidate.group())) {
            refuse(
                    "0517",
                    "has the handler group \"" + candidate.group()
                            + "\": expected 1 to 128 letters, digits, '.', '_' or '-'. Add a valid @HandlerGroup");
        }
    }

    /**
     * A retry or a fallback inside a surviving transaction keeps everything that the failed attempts have done in it.
     */
    private void retries(HandlerCandidate candidate, FaultTolerancePriority priority) {
        REPEATING.stream()
                .flatMap(name -> observation.onMethodOrClass(name).stream())
                .map(found -> "@" + found.annotationType().getSimpleName())
                .forEach(name -> candidate
                        .outerTransaction(priority)
                        .ifPresent(outer -> refuse(
                                "0512",
                                "has " + name + " and " + outer
                                        + ": all retries would share one transaction. Remove one of them; without "
                                        + outer + " the outbox runs each retry in its own transaction")));
    }

    private void refuse(String code, String what) {
        problems.add("OUTBOX-" + code + " " + observation + " " + what);
    }
}
