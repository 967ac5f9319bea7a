package io.outboxed.internal.testkit.standalone;

import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessProducer;
import jakarta.enterprise.inject.spi.Producer;
import java.util.List;

/**
 * Tells which transactions are those of deliveries: they begin with a claim. A propagator, a codec and the creation of a
 * bean may have others, before the handler is called.
 */
final class ClaimedDeliveries implements Extension {
    private final Runnable claimed;

    /** @param claimed called in the delivery's transaction */
    ClaimedDeliveries(Runnable claimed) {
        this.claimed = claimed;
    }

    /** Decorators are for managed beans only, and this one comes from a producer. */
    void watch(@Observes ProcessProducer<?, TransactionalAck> event) {
        Producer<TransactionalAck> acks = event.getProducer();
        event.configureProducer().produceWith(context -> new Watched(acks.produce(context), claimed));
    }

    private record Watched(TransactionalAck ack, Runnable claimed) implements TransactionalAck {

        @Override
        public void claim(MessageHead head) {
            ack.claim(head);
            claimed.run();
        }

        @Override
        public void acknowledge(MessageHead head, String handler, AckMode ackMode) {
            ack.acknowledge(head, handler, ackMode);
        }

        @Override
        public void claim(List<MessageHead> heads) {
            ack.claim(heads);
            claimed.run();
        }

        @Override
        public void acknowledge(List<MessageHead> heads, String handler) {
            ack.acknowledge(heads, handler);
        }
    }
}
