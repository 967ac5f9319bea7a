package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One producer for all events. Thread-safe. */
final class BrokerConnection implements RecordSender {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    /** The producer itself ends each send in time; this only protects against one that does not. */
    private static final Duration SLACK = Duration.ofMillis(500);

    private final KafkaSettings settings;
    private final TopicCheck check;
    private final GoodTopics topics;
    /** Absent as long as no topic is good, unless this is closed. */
    private volatile Producer<byte[], byte[]> producer;
    /** Closes the previous producer. Used under the lock of the check. */
    private Thread closing;

    private volatile boolean closed;

    BrokerConnection(KafkaSettings settings) {
        this.settings = settings;
        this.check = new TopicCheck(settings);
        this.topics = new GoodTopics(settings, this::problems);
    }

    @Override
    public void checkAtStart() throws InterruptedException {
        topics.checkAtStart();
    }

    @Override
    public PendingSend send(ProducerRecord<byte[], byte[]> record, Lease lease, Predicate<Lease> isValid) {
        return send(record);
    }

    PendingSend send(ProducerRecord<byte[], byte[]> record) {
        Producer<byte[], byte[]> open;
        failIfClosed();
        try {
            open = producerFor(record.topic());
        } catch (InterruptedException e) {
            throw failed(null, record.topic(), e);
        }
        Future<RecordMetadata> result;
        long deadline = System.nanoTime() + settings.longestSend().plus(SLACK).toNanos();
        try {
            result = open.send(record);
        } catch (KafkaException | IllegalStateException e) {
            throw failed(open, record.topic(), e);
        }
        return () -> await(open, record.topic(), result, deadline);
    }

    private Void await(Producer<byte[], byte[]> sender, String topic, Future<RecordMetadata> result, long deadline) {
        try {
            result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException e) {
            throw failed(sender, topic, e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw failed(sender, topic, e);
        }
    }

    private RuntimeException failed(Producer<byte[], byte[]> sender, String topic, Throwable cause) {
        SendFailure failure = SendFailure.of(cause);
        if (failure == SendFailure.OF_THE_RECORD) {
            return topics.refused(topic, cause);
        }
        if (failure == SendFailure.OF_THE_BROKER) {
            topics.doubt(topic);
        } else if (!failure.isRefusal() && sender != producer) {
            // it was given up while this event was on its way
            failure = SendFailure.OF_THE_BROKER;
        } else if (failure == SendFailure.OF_THE_PRODUCER) {
            topics.doubtAll(() -> giveUp(sender));
        }
        return failure.exception(topic, cause);
    }

    private Producer<byte[], byte[]> producerFor(String topic) throws InterruptedException {
        Producer<byte[], byte[]> open = producer;
        if (open != null && topics.contain(topic)) {
            return open;
        }
        topics.await(topic);
        failIfClosed();
        open = producer;
        if (open == null) {
            throw topics.notReady("its producer has just been given up");
        }
        return open;
    }

    /** This producer will not work again, or a right is missing: everything is checked anew. */
    private void giveUp(Producer<byte[], byte[]> broken) {
        if (producer == broken) {
            producer = null;
            // on a thread of its own: it waits for the producer's thread, which may hang
            closing = new Thread(() -> broken.close(Duration.ZERO), "outbox-kafka-close");
            closing.setDaemon(true);
            closing.start();
        }
    }

    private Map<String, String> problems(Collection<String> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, String> found = check.problems(asked);
        if (producer == null && !closed) {
            awaitEndOfPrevious();
            producer = open();
            if (closed) {
                // the close may have come too early to see it
                close();
            }
        }
        return found;
    }

    /** While it hangs it may still send, and put an old event behind a newer one. */
    private void awaitEndOfPrevious() throws InterruptedException, TimeoutException {
        if (closing != null) {
            closing.join(CLOSE_WITHIN.toMillis());
            if (closing.isAlive()) {
                throw new TimeoutException("the previous producer has not ended yet");
            }
            closing = null;
        }
    }

    private void failIfClosed() {
        if (closed) {
            throw topics.notReady("the application ends");
        }
    }

    private Producer<byte[], byte[]> open() {
        Map<String, Object> config = new HashMap<>(settings.producer());
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Does not wait for a check that is under way, which then opens no producer. */
    @Override
    public void close() {
        closed = true;
        Producer<byte[], byte[]> open = producer;
        if (open != null) {
            open.close(CLOSE_WITHIN);
        }
    }
}
