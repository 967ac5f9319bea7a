package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.ObserverInvocation;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.spi.FailureClassifier;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Calls the application's observers for the relay. Dependent, because a proxy would be passed several times a call. */
@Dependent
class CdiHandlerInvoker implements HandlerInvoker {
    private final Handlers handlers;
    private final ObserverInvocation call;
    private final Forwarders forwarders;
    private final FailureVerdicts verdicts;

    @Inject
    CdiHandlerInvoker(
            HandlersExtension discovery, ObserverInvocation call, Forwarders forwarders, FailureVerdicts verdicts) {
        this.handlers = discovery.handlers();
        this.call = call;
        this.forwarders = forwarders;
        this.verdicts = verdicts;
    }

    /** Needed by the container for a decorator, as the test kit has one. */
    CdiHandlerInvoker() {
        this.handlers = null;
        this.call = null;
        this.forwarders = null;
        this.verdicts = null;
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
}
