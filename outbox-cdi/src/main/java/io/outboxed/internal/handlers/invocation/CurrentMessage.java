package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

/** Provides the envelope as a second parameter of a handler. */
@ApplicationScoped
public class CurrentMessage {

    @Produces
    @Dependent
    OutboxMessage message() {
        CurrentDelivery delivery = CurrentDelivery.get();
        if (delivery == null) {
            throw new OutboxException(
                    "OUTBOX-0543",
                    "an OutboxMessage is injected but nothing is being delivered on thread "
                            + Thread.currentThread().getName()
                            + ": the event was fired by the application itself. Take Instance<OutboxMessage> instead, or"
                            + " observe with @Delivered");
        }
        if (delivery.handler().batch()) {
            throw new OutboxException(
                    "OUTBOX-0548",
                    "an OutboxMessage is injected while "
                            + delivery.handler().key().handler()
                            + " handles a batch, which may have several: take them from EventBatch.messages()");
        }
        return delivery.message();
    }
}
