package io.outboxed.internal.testkit;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.util.List;

/** The application's handlers, with each call observed. */
@Decorator
@Priority(Interceptor.Priority.APPLICATION)
public abstract class ObservedHandlers implements HandlerInvoker {

    @Inject
    @Delegate
    @Any
    HandlerInvoker handlers;

    @Inject
    ObservedCalls calls;

    /** One call after the other, so that each is observed. */
    @Override
    public HandlerMode mode(HandlerKey handler) {
        HandlerMode mode = handlers.mode(handler);
        return mode.isForwarder() ? HandlerMode.OUTSIDE : mode;
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        return calls.deliver(delivery, handlers.group(delivery.key()), () -> handlers.deliver(delivery));
    }

    @Override
    public Outcome deliverTogether(List<Delivery> deliveries) {
        return calls.deliverTogether(
                deliveries, handlers.group(deliveries.get(0).key()), () -> handlers.deliverTogether(deliveries));
    }
}
