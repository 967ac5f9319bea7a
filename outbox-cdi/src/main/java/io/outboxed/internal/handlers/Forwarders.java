package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.Messages;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.cluster.Lease;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The application's forwarders, by the names of their handlers. */
@Dependent
class Forwarders {
    private final Messages messages;
    private final Map<String, Forwarder> byName;
    private final Map<String, Integer> mostTogether;

    @Inject
    Forwarders(Messages messages, Instance<Forwarder> beans) {
        this.messages = messages;
        this.byName = beans.stream().collect(Collectors.toMap(Forwarder::handlerName, bean -> bean));
        this.mostTogether = beans.stream().collect(Collectors.toMap(Forwarder::handlerName, Forwarder::mostTogether));
    }

    boolean contains(String handler) {
        return byName.containsKey(handler);
    }

    int mostTogether(String handler) {
        return mostTogether.get(handler);
    }

    Supplier<Outcome> begin(Delivery delivery, Lease lease, Predicate<Lease> isValid) {
        try {
            Callable<Void> end = byName.get(delivery.handler()).begin(messages.message(delivery), lease, isValid);
            return () -> outcome(end);
        } catch (Throwable failure) {
            return () -> outcome(failure);
        }
    }

    private static Outcome outcome(Callable<Void> end) {
        try {
            end.call();
            return new Outcome.Done(false);
        } catch (Throwable failure) {
            return outcome(failure);
        }
    }

    private static Outcome outcome(Throwable failure) {
        return failure instanceof LeaseExpiredException ? new Outcome.NotBegun() : new Outcome.Failed(failure);
    }
}
