package io.outboxed.kafka;

import io.outboxed.internal.handlers.LeaseExpiredException;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    private final WritableTopics topics;
    /** Of the application. */
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    /** Absent as long as no topic is good, unless this is closed. */
    private volatile PlainProducer producer;
    /** Closes the previous producer. Set under the lock of the check. */
    private volatile Thread closing;

    BrokerConnection(KafkaSettings settings) {
        this.settings = settings;
        this.check = new TopicCheck(settings);
        this.topics = new WritableTopics(settings, this::problems);
    }

    @Override
    public void checkAtStart() throws InterruptedException {
        topics.checkAtStart();
    }

    @Override
    public PendingSend send(ProducerRecord<byte[], byte[]> record, Lease lease, Predicate<Lease> isValid) {
        PlainProducer open;
        failIfClosed();
        try {
            open = producerFor(record.topic());
        } catch (InterruptedException e) {
            throw failed(null, record.topic(), e);
        }
        // the check of its topic may have made it wait
        if (!isValid.test(lease)) {
            throw new LeaseExpiredException("this node's lease on shard " + lease.shard()
                    + " was over before an event was sent to " + record.topic());
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

    private Void await(PlainProducer sender, String topic, Future<RecordMetadata> result, long deadline) {
        try {
            result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException e) {
            throw failed(sender, topic, e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            if (sender == producer) {
                topics.doubtAll(() -> giveUp(sender));
            }
            awaitEnd(sender);
            throw SendFailure.OF_THE_PRODUCER.exception(topic, e);
        }
    }

    /**
     * Its thread may hang, and send the event as soon as it goes on. Until then the call does not end, though it is
     * interrupted: the shard would go to another node, and the old event come behind a newer one of that node.
     */
    private void awaitEnd(PlainProducer sender) {
        sender.giveUp();
        CompletableFuture.anyOf(sender.end(), end).join();
    }

    private RuntimeException failed(PlainProducer sender, String topic, Throwable cause) {
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

    private PlainProducer producerFor(String topic) throws InterruptedException {
        PlainProducer open = producer;
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
    private void giveUp(PlainProducer broken) {
        if (producer == broken) {
            closing = broken.giveUp();
            producer = null;
        }
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
        if (producer == null && !end.isDone()) {
            awaitEndOfPrevious();
            PlainProducer opened = PlainProducer.open(settings);
            producer = opened;
            if (end.isDone()) {
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
        if (end.isDone()) {
            throw topics.notReady("the application ends");
        }
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
        end.complete(null);
        Thread ofCheck = onThreadOfItsOwn(check::close);
        try {
            hasEnded(ofCheck);
            topics.awaitCheck(CLOSE_WITHIN);
            PlainProducer open = producer;
            if (open != null) {
                // twice as long: it first lets events go that are on their way, and then waits for the thread
                Thread ofProducer = open.close(CLOSE_WITHIN);
                hasEnded(ofProducer);
                hasEnded(ofProducer);
            }
            hasEnded(closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closing a Kafka client waits for the client's thread, which may hang. */
    private static Thread onThreadOfItsOwn(Runnable close) {
        Thread thread = new Thread(close, "outbox-kafka-close");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A producer, and its end. Thread-safe. */
    private static final class PlainProducer {
        private final Producer<byte[], byte[]> producer;
        private final CompletableFuture<Void> end = new CompletableFuture<>();
        private Thread closing;

        private PlainProducer(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }

        /** @throws KafkaException if the client can't be made */
        static PlainProducer open(KafkaSettings settings) {
            return new PlainProducer(new KafkaProducer<>(
                    new HashMap<>(settings.producer()), new ByteArraySerializer(), new ByteArraySerializer()));
        }

        Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
            return producer.send(record);
        }

        /**
         * Sends nothing more, unless its thread hangs: then only what that thread was about to send.
         *
         * @return ends with that thread
         */
        synchronized Thread giveUp() {
            if (closing == null) {
                closing = onThreadOfItsOwn(() -> {
                    try {
                        producer.close(Duration.ZERO);
                    } finally {
                        end.complete(null);
                    }
                });
            }
            return closing;
        }

        /** For one that was given up: its thread has ended. */
        CompletableFuture<Void> end() {
            return end;
        }

        /** @return ends with its thread, once events that are on their way have had this time */
        Thread close(Duration longest) {
            return onThreadOfItsOwn(() -> producer.close(longest));
        }
    }
}
