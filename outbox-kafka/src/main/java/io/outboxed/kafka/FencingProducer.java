package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A shard's producer under one lease. Once it is open, Kafka refuses what all earlier producers of the shard send, on
 * any node. Used by one thread, except {@link #close}.
 */
final class FencingProducer {
    /** The producer itself ends each send in time; this only protects against one that does not. */
    private static final Duration SLACK = Duration.ofMillis(500);

    private final Producer<byte[], byte[]> producer;
    private final Lease lease;
    private final Duration longestSend;
    private final Executor closing;

    private FencingProducer(Producer<byte[], byte[]> producer, Lease lease, Duration longestSend, Executor closing) {
        this.producer = producer;
        this.lease = lease;
        this.longestSend = longestSend;
        this.closing = closing;
    }

    /**
     * @param closing for {@link #close}
     * @throws KafkaException if the broker does not answer, or refuses it
     */
    static FencingProducer open(KafkaSettings settings, Lease lease, Executor closing) {
        FencingProducer opened = new FencingProducer(
                new KafkaProducer<>(
                        settings.transactional(String.valueOf(lease.shard())),
                        new ByteArraySerializer(),
                        new ByteArraySerializer()),
                lease,
                settings.longestSend(),
                closing);
        boolean ready = false;
        try {
            opened.producer.initTransactions();
            ready = true;
        } finally {
            if (!ready) {
                opened.close();
            }
        }
        return opened;
    }

    Lease lease() {
        return lease;
    }

    /** @return why the transaction failed; empty if it is committed */
    Optional<Throwable> send(List<ProducerRecord<byte[], byte[]>> records) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long deadline = System.nanoTime() + longestSend.plus(SLACK).toNanos();
        try {
            producer.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record, (stored, cause) -> failure.compareAndSet(null, cause)));
                // without metadata each one takes max.block.ms
                if (failure.get() != null || System.nanoTime() - deadline > 0) {
                    throw new TimeoutException("after " + sent.size() + " of " + records.size() + " records");
                }
            }
            for (Future<RecordMetadata> each : sent) {
                each.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            producer.commitTransaction();
            return Optional.empty();
        } catch (Throwable e) {
            // often only a consequence of the first failure: "in an error state"
            return Optional.of(failure.get() != null ? failure.get() : e);
        }
    }

    /** @return whether this producer can continue */
    boolean abort() {
        try {
            producer.abortTransaction();
            return true;
        } catch (KafkaException | IllegalStateException e) {
            return false;
        }
    }

    /** On a thread of its own: it waits for the producer's thread, which may hang. What that still sends is refused. */
    void close() {
        closing.execute(() -> producer.close(Duration.ZERO));
    }
}
