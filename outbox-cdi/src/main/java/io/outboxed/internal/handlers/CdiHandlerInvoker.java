package io.outboxed.internal.handlers;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.internal.handlers.invocation.ObserverInvocation;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Calls the application's observers for the relay. Dependent, because a proxy would be passed several times a call. */
@Dependent
class CdiHandlerInvoker implements HandlerInvoker {
    /** Only its type matters: which observers would be called. */
    private static final DeadLetter ANY_LETTER =
            new DeadLetter(new UUID(0, 0), "", "", "", "", "", 0, "", Instant.EPOCH, Instant.EPOCH, false);

    private final Handlers handlers;
    private final ObserverInvocation call;
    private final Forwarders forwarders;
    private final FailureVerdicts verdicts;
    private final FailureHandlers failureHandlers;
    private final DeadLetters deadLetters;
    private final Event<DeadLetter> announced;
    private final Instance<RequestContextController> requestContexts;
    private final boolean isObserved;

    @Inject
    CdiHandlerInvoker(
            HandlersExtension discovery,
            ObserverInvocation call,
            Forwarders forwarders,
            FailureVerdicts verdicts,
            FailureHandlers failureHandlers,
            DeadLetters deadLetters,
            Event<DeadLetter> announced,
            Instance<RequestContextController> requestContexts,
            BeanManager beans) {
        this.handlers = discovery.handlers();
        this.call = call;
        this.forwarders = forwarders;
        this.verdicts = verdicts;
        this.failureHandlers = failureHandlers;
        this.deadLetters = deadLetters;
        this.announced = announced;
        this.requestContexts = requestContexts;
        this.isObserved = !beans.resolveObserverMethods(ANY_LETTER).isEmpty();
    }

    /** Needed by the container for a decorator, as the test kit has one. */
    CdiHandlerInvoker() {
        this.handlers = null;
        this.call = null;
        this.forwarders = null;
        this.verdicts = null;
        this.failureHandlers = null;
        this.deadLetters = null;
        this.announced = null;
        this.requestContexts = null;
        this.isObserved = false;
    }

    @Override
    public Set<HandlerKey> all() {
        return handlers.keys();
    }

    @Override
    public String group(HandlerKey handler) {
        return handlers.get(handler).group();
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        return forwarders.contains(handler.handler())
                ? HandlerMode.FORWARDER
                : handlers.get(handler).mode();
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        return call.call(handlers.get(delivery.key()), delivery);
    }

    @Override
    public Outcome deliverTogether(List<Delivery> deliveries) {
        Delivery first = deliveries.get(0);
        return call.call(handlers.get(first.key()), first, deliveries.subList(1, deliveries.size()));
    }

    @Override
    public int mostTogether(HandlerKey handler) {
        return forwarders.mostTogether(handler.handler());
    }

    @Override
    public Supplier<Outcome> begin(Delivery delivery, Lease lease, Predicate<Lease> isValid) {
        return forwarders.begin(delivery, lease, isValid);
    }

    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        return verdicts.of(delivery, failure);
    }

    @Override
    public boolean reportsFailures() {
        return failureHandlers.exist();
    }

    @Override
    public void failed(FailedAttempt attempt) {
        failureHandlers.tell(attempt);
    }

    @Override
    public boolean announcesDeadLetters() {
        return isObserved;
    }

    @Override
    public void dead(UUID messageId, String handler) {
        Optional<DeadLetter> stored;
        try {
            stored = deadLetters.get(messageId, handler);
        } catch (RuntimeException | Error e) {
            OutboxLog.deadLetterNotAnnounced(messageId, handler, e);
            return;
        }
        stored.ifPresent(this::announce);
    }

    /** Without a context, Weld leaves out an observer in the request scope, and throws nothing. */
    private void announce(DeadLetter letter) {
        RequestContextController context = requestContexts.get();
        boolean activated = context.activate();
        try {
            announced.fire(letter);
        } catch (RuntimeException | Error e) {
            OutboxLog.deadLetterObserverFailed(letter, e);
        } finally {
            if (activated) {
                context.deactivate();
            }
            requestContexts.destroy(context);
        }
    }
}
