package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.Lease;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Takes records to Kafka. Thread-safe. */
interface RecordSender extends AutoCloseable {

    /** For the start: problems are logged, and checked again with the first event. */
    void checkAtStart() throws InterruptedException;

    /**
     * Begins to send.
     *
     * @param lease of the event's shard, which was valid a moment ago
     * @param isValid whether a lease still is, for any thread
     * @throws BrokerNotReadyException if no broker answers, or the topic can't be written to
     */
    PendingSend send(ProducerRecord<byte[], byte[]> record, Lease lease, Predicate<Lease> isValid);

    @Override
    void close();

    /** A record on its way to the broker. */
    @FunctionalInterface
    interface PendingSend extends Callable<Void> {
        /** Of an event that is not forwarded. */
        PendingSend NOTHING = () -> null;

        /**
         * Returns once the broker has stored the record on all replicas that it waits for.
         *
         * @throws BrokerNotReadyException if that is not certain
         */
        @Override
        Void call();
    }
}
