package io.outboxed.kafka;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer, for topics that are known to be good. Thread-safe. */
final class BrokerConnection implements AutoCloseable {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    /** The producer itself ends each send in time; this only protects against one that does not. */
    private static final Duration SLACK = Duration.ofMillis(500);

    private final KafkaSettings settings;
    private final TopicCheck check;
    private final Set<String> goodTopics = ConcurrentHashMap.newKeySet();
    private final Problems problems = new Problems();
    private final ReentrantLock checking = new ReentrantLock();
    private volatile Producer<byte[], byte[]> producer;
    /** Closes the previous producer. Used under the lock of the check. */
    private Thread closing;

    private volatile boolean closed;

    BrokerConnection(KafkaSettings settings) {
        this.settings = settings;
        this.check = new TopicCheck(settings);
    }

    /** For the start: problems are logged, and looked at again with the first event. */
    void checkAtStart() throws InterruptedException {
        List<String> topics = settings.routes().fixedTopics();
        checking.lock();
        try {
            if (!topics.isEmpty()) {
                check(topics);
            }
        } finally {
            checking.unlock();
        }
    }

    /**
     * Begins to send.
     *
     * @throws BrokerNotReadyException if no broker answers, or the topic can't be written to
     */
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
        if (cause instanceof RecordTooLargeException) {
            return tooLarge(topic, cause);
        }
        SendFailure failure = SendFailure.of(cause);
        if (failure == SendFailure.OF_THE_BROKER) {
            goodTopics.remove(topic);
        } else if (!failure.isRefusal() && sender != producer) {
            // it was given up while this event was on its way
            failure = SendFailure.OF_THE_BROKER;
        } else if (failure == SendFailure.OF_THE_PRODUCER) {
            giveUp(sender);
        }
        return failure.exception(topic, cause);
    }

    /** The record waits if the topic takes less by now. A check that is under way may have asked before that. */
    private RuntimeException tooLarge(String topic, Throwable cause) {
        checking.lock();
        try {
            goodTopics.remove(topic);
        } finally {
            checking.unlock();
        }
        try {
            producerFor(topic);
            return SendFailure.OF_THE_RECORD.exception(topic, cause);
        } catch (BrokerNotReadyException e) {
            return e;
        } catch (InterruptedException e) {
            return SendFailure.of(e).exception(topic, e);
        }
    }

    /** @throws BrokerNotReadyException also if this took so long that the lease may be over once the send has begun */
    private Producer<byte[], byte[]> producerFor(String topic) throws InterruptedException {
        long begun = System.nanoTime();
        Producer<byte[], byte[]> open = producer;
        if (open != null && goodTopics.contains(topic)) {
            return open;
        }
        if (!checking.tryLock(settings.maxBlock().toMillis(), TimeUnit.MILLISECONDS)) {
            throw notReady("its answer is still awaited");
        }
        try {
            if (producer == null || !goodTopics.contains(topic)) {
                problems.pauseWhileNobodyAnswers();
                if (!problems.isRecent(topic)) {
                    check(List.of(topic));
                }
                failIfClosed();
                if (producer == null || !goodTopics.contains(topic)) {
                    throw notReady(problems.of(topic));
                }
            }
            if (System.nanoTime() - begun > settings.maxBlock().toNanos()) {
                throw notReady("it has answered later than " + KafkaKeys.PREFIX + ProducerConfig.MAX_BLOCK_MS_CONFIG
                        + " (" + settings.maxBlock().toMillis() + " ms)");
            }
            return producer;
        } finally {
            checking.unlock();
        }
    }

    /** This producer will not work again, or a right is missing: everything is looked at again. */
    private void giveUp(Producer<byte[], byte[]> broken) {
        checking.lock();
        try {
            if (producer == broken) {
                goodTopics.clear();
                producer = null;
                // on a thread of its own: it waits for the producer's thread, which may hang
                closing = new Thread(() -> broken.close(Duration.ZERO), "outbox-kafka-close");
                closing.setDaemon(true);
                closing.start();
            }
        } finally {
            checking.unlock();
        }
    }

    private void check(Collection<String> topics) throws InterruptedException {
        boolean had = problems.exist();
        boolean isNew;
        try {
            Map<String, String> found = check.problems(topics);
            if (producer == null && !closed) {
                awaitEndOfPrevious();
                producer = open();
                if (closed) {
                    // the close may have come too early to see it
                    close();
                }
            }
            isNew = problems.answered(topics, found);
        } catch (ExecutionException e) {
            isNew = problems.notAnswered(topics, e.getCause());
        } catch (TimeoutException e) {
            isNew = problems.notAnswered(topics, e);
        } catch (KafkaException e) {
            isNew = problems.noClient(topics, e);
        }
        topics.stream().filter(topic -> !problems.exist(topic)).forEach(goodTopics::add);
        if (isNew) {
            OutboxLog.kafkaNotReady(settings.brokers(), problems.texts());
        } else if (had && !problems.exist()) {
            OutboxLog.kafkaReady(settings.brokers());
        }
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
            throw notReady("the application ends");
        }
    }

    private BrokerNotReadyException notReady(String problem) {
        return new BrokerNotReadyException("events can't be forwarded to Kafka at " + settings.brokers() + ": "
                + problem + ". They are stored and wait; no attempt is counted");
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
