package io.outboxed.kafka;

import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * A producer for each shard: when a node has gained a shard and sends its first event, Kafka refuses from then on what
 * the shard's former owners still send. Thread-safe.
 */
final class StrictSender implements RecordSender {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration IDLE_THREAD_ENDS_AFTER = Duration.ofSeconds(10);
    /** Another node may have the shard by then. It costs little to open a producer once in this time. */
    private static final Duration UNUSED_PRODUCER_ENDS_AFTER = Duration.ofMinutes(5);
    /** A transaction ends by itself; this only protects against one that does not. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final KafkaSettings settings;
    private final TopicCheck topicCheck;
    private final TransactionCheck transactionCheck;
    private final WritableTopics topics;
    /** After the end, the caller runs the task itself: nothing is sent any more, and producers are closed. */
    private final ThreadPoolExecutor threads;

    private final Executor closing;
    private final ScheduledExecutorService sweeps;
    private final List<ShardPipeline> lines;
    private volatile boolean closed;

    StrictSender(KafkaSettings settings) {
        this(settings, UNUSED_PRODUCER_ENDS_AFTER);
    }

    StrictSender(KafkaSettings settings, Duration unusedProducerEndsAfter) {
        this.settings = settings;
        this.topicCheck = new TopicCheck(settings);
        this.topics = new WritableTopics(settings, this::problems);
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_THREAD_ENDS_AFTER.toMillis(),
                TimeUnit.MILLISECONDS,
                new SynchronousQueue<>(),
                StrictSender::thread,
                (work, ended) -> work.run());
        this.closing = closing(threads);
        this.transactionCheck = new TransactionCheck(settings, threads);
        StrictFailures failures = new StrictFailures(settings, topics, transactionCheck);
        this.lines = Stream.generate(() -> new ShardPipeline(
                        lease -> FencingProducer.open(settings, lease, closing),
                        threads,
                        failures,
                        settings.longestTransaction()))
                .limit(LaneHash.SHARDS)
                .toList();
        this.sweeps = Executors.newSingleThreadScheduledExecutor(StrictSender::thread);
        long pause = Math.max(1, unusedProducerEndsAfter.toMillis() / 10);
        sweeps.scheduleWithFixedDelay(
                () -> lines.forEach(line -> sweep(line, unusedProducerEndsAfter)), pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Thrown to the executor, an error would be the end of all sweeps. What it leaves open, the next one closes. */
    private static void sweep(ShardPipeline line, Duration unusedProducerEndsAfter) {
        try {
            line.closeIfUnused(unusedProducerEndsAfter);
        } catch (Throwable e) {
            Thread sweeping = Thread.currentThread();
            sweeping.getUncaughtExceptionHandler().uncaughtException(sweeping, e);
        }
    }

    /**
     * Closing a Kafka client waits for the client's thread, which may hang. If the process can start no more threads,
     * the caller waits: without a reference to the client, no one could close it later.
     */
    static Executor closing(Executor threads) {
        return close -> {
            try {
                threads.execute(close);
            } catch (OutOfMemoryError noThread) {
                close.run();
            }
        };
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "outbox-kafka-transaction");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void checkAtStart() throws InterruptedException {
        topics.checkAtStart();
    }

    private Map<String, String> problems(Collection<String> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            Map<String, String> found = topicCheck.problems(asked);
            transactionCheck
                    .problem()
                    .ifPresent(text -> asked.forEach(
                            topic -> found.merge(topic, text, (own, more) -> own + TopicProblems.SEPARATOR + more)));
            return found;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            failIfClosed();
            throw e;
        }
    }

    @Override
    public PendingSend send(ProducerRecord<byte[], byte[]> record, Lease lease, Predicate<Lease> isValid) {
        failIfClosed();
        try {
            topics.await(record.topic());
            failIfClosed();
            StrictSend event = new StrictSend(
                    record, lease, isValid, settings.longestInLine().plus(SLACK));
            lines.get(lease.shard()).add(event);
            return event;
        } catch (InterruptedException e) {
            throw SendFailure.OF_THE_BROKER.exception(record.topic(), e);
        }
    }

    private void failIfClosed() {
        if (closed) {
            throw topics.notReady("the application ends");
        }
    }

    /** Ends a check that is under way. Waits for all threads, each for a limited time. */
    @Override
    public void close() {
        // before its clients: a check that they fail is not an outage
        closed = true;
        sweeps.shutdownNow();
        lines.forEach(ShardPipeline::close);
        closing.execute(topicCheck::close);
        transactionCheck.close();
        threads.shutdown();
        try {
            topics.awaitCheck(CLOSE_WITHIN);
            if (!threads.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                // it opens a producer, or closes one that hangs
                threads.shutdownNow();
                threads.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
