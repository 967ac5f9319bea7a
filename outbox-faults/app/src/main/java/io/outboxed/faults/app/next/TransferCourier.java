package io.outboxed.faults.app.next;

import io.outboxed.HandlerGroup;
import io.outboxed.HandlerName;
import io.outboxed.OutboxMessage;
import io.outboxed.faults.app.Courier;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** The courier's handler of the new type, in the courier's group. */
@ApplicationScoped
@HandlerGroup("Courier")
public class TransferCourier {

    @Inject
    Courier courier;

    @Transactional(TxType.NOT_SUPPORTED)
    @HandlerName("Courier.transferred")
    void transferred(@Observes Transferred event, OutboxMessage message) {
        courier.tell(event.account(), event.number(), event.id(), event.fault(), message);
    }
}
