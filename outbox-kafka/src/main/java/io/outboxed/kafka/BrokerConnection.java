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
    /** Closes the previous producer. Set under the lock of the check. */
    private volatile Thread closing;

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
            closing = onThreadOfItsOwn(() -> broken.close(Duration.ZERO));
        }
    }

    /** Whoever closes a client of Kafka waits for the client's thread, which may hang. */
    private static Thread onThreadOfItsOwn(Runnable close) {
        Thread thread = new Thread(close, "outbox-kafka-close");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private Map<String, String> problems(Collection<String> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, String> found;
        try {
            found = check.problems(asked);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            failIfClosed();
            throw e;
        }
        if (producer == null && !closed) {
            awaitEndOfPrevious();
            Producer<byte[], byte[]> opened = open();
            producer = opened;
            if (closed) {
                // the close may have come too early to see it
                giveUp(opened);
            }
        }
        return found;
    }

    /** While it hangs it may still send, and put an old event behind a newer one. */
    private void awaitEndOfPrevious() throws InterruptedException, TimeoutException {
        if (!hasEnded(closing)) {
            throw new TimeoutException("the previous producer has not ended yet");
        }
        closing = null;
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

    private static boolean hasEnded(Thread thread) throws InterruptedException {
        if (thread == null) {
            return true;
        }
        thread.join(CLOSE_WITHIN.toMillis());
        return !thread.isAlive();
    }

    /** Ends a check that is under way. Waits for all threads, each for a limited time. */
    @Override
    public void close() {
        closed = true;
        Thread ofCheck = onThreadOfItsOwn(check::close);
        try {
            hasEnded(ofCheck);
            topics.awaitCheck(CLOSE_WITHIN);
            Producer<byte[], byte[]> open = producer;
            if (open != null) {
                // twice as long: it first lets events go that are on their way, and then waits for the thread
                Thread ofProducer = onThreadOfItsOwn(() -> open.close(CLOSE_WITHIN));
                hasEnded(ofProducer);
                hasEnded(ofProducer);
            }
            hasEnded(closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
