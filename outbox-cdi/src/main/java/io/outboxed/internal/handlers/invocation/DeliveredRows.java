package io.outboxed.internal.handlers.invocation;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import java.util.List;
import java.util.stream.Stream;

/**
 * The rows of the messages that one call delivers.
 *
 * @param batch of several; empty: only that of the delivery
 */
record DeliveredRows(TransactionalAck ack, Delivery delivery, List<MessageHead> batch) {

    /** @param behind the other deliveries of a batch */
    static DeliveredRows of(Delivery first, List<Delivery> behind, TransactionalAck ack) {
        List<MessageHead> batch = behind.isEmpty()
                ? List.of()
                : Stream.concat(Stream.of(first), behind.stream())
                        .map(Delivery::head)
                        .toList();
        return new DeliveredRows(ack, first, batch);
    }

    void claim() {
        if (batch.isEmpty()) {
            ack.claim(delivery.head());
        } else {
            ack.claim(batch);
        }
    }

    void acknowledge() {
        if (batch.isEmpty()) {
            ack.acknowledge(delivery.head(), delivery.handler(), delivery.ackMode());
        } else {
            ack.acknowledge(batch, delivery.handler());
        }
    }
}
