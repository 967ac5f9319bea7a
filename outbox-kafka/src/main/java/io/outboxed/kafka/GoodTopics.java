package io.outboxed.kafka;

import io.outboxed.internal.log.OutboxLog;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/**
 * The topics that can be written to. Each is checked before its first record, and at most once a second while it has a
 * problem. Thread-safe.
 */
final class GoodTopics {
    private final KafkaSettings settings;
    private final Check check;
    private final Set<String> good = ConcurrentHashMap.newKeySet();
    private final Problems problems = new Problems();
    private final ReentrantLock checking = new ReentrantLock();

    @FunctionalInterface
    interface Check {
        /**
         * One text for each of these topics that has a problem. Never runs twice at the same time.
         *
         * @throws TimeoutException or ExecutionException if no broker answers
         * @throws KafkaException if no client can be made that asks one
         */
        Map<String, String> problems(Collection<String> topics)
                throws InterruptedException, ExecutionException, TimeoutException;
    }

    GoodTopics(KafkaSettings settings, Check check) {
        this.settings = settings;
        this.check = check;
    }

    /** For the start: problems are logged, and checked again with the first event. */
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

    boolean contain(String topic) {
        return good.contains(topic);
    }

    /**
     * Returns if the topic can be written to.
     *
     * @throws BrokerNotReadyException if not, or if this took so long that the lease may be over once the send has
     *     begun
     */
    void await(String topic) throws InterruptedException {
        if (good.contains(topic)) {
            return;
        }
        long begun = System.nanoTime();
        if (!checking.tryLock(settings.maxBlock().toMillis(), TimeUnit.MILLISECONDS)) {
            throw notReady("its answer is still awaited");
        }
        try {
            if (!good.contains(topic)) {
                problems.pauseWhileUnanswered();
                if (!problems.isRecent(topic)) {
                    check(List.of(topic));
                }
                if (!good.contains(topic)) {
                    throw notReady(problems.of(topic));
                }
            }
        } finally {
            checking.unlock();
        }
        if (System.nanoTime() - begun > settings.maxBlock().toNanos()) {
            throw notReady("it has answered later than " + KafkaKeys.PREFIX + ProducerConfig.MAX_BLOCK_MS_CONFIG + " ("
                    + settings.maxBlock().toMillis() + " ms)");
        }
    }

    private void check(Collection<String> topics) throws InterruptedException {
        boolean had = problems.exist();
        boolean isNew;
        try {
            isNew = problems.answered(topics, check.problems(topics));
        } catch (ExecutionException e) {
            isNew = problems.notAnswered(topics, e.getCause());
        } catch (TimeoutException e) {
            isNew = problems.notAnswered(topics, e);
        } catch (KafkaException e) {
            isNew = problems.noClient(topics, e);
        }
        topics.stream().filter(topic -> !problems.exist(topic)).forEach(good::add);
        if (isNew) {
            OutboxLog.kafkaNotReady(settings.brokers(), problems.texts());
        } else if (had && !problems.exist()) {
            OutboxLog.kafkaReady(settings.brokers());
        }
    }

    /** A send to it has failed: it is checked before the next one. */
    void doubt(String topic) {
        good.remove(topic);
    }

    /** What the relay is told of a record that was refused: it waits if the topic takes less by now. */
    RuntimeException refused(String topic, Throwable cause) {
        if (SendFailure.isTooLargeForTheTopic(cause)) {
            doubtAfterCheck(topic);
            try {
                await(topic);
            } catch (BrokerNotReadyException e) {
                return e;
            } catch (InterruptedException e) {
                return SendFailure.of(e).exception(topic, e);
            }
        }
        return SendFailure.OF_THE_RECORD.exception(topic, cause);
    }

    /** A check that is under way may have asked before the topic changed. */
    private void doubtAfterCheck(String topic) {
        checking.lock();
        try {
            good.remove(topic);
        } finally {
            checking.unlock();
        }
    }

    /** @param also done before the next check */
    void doubtAll(Runnable also) {
        checking.lock();
        try {
            good.clear();
            also.run();
        } finally {
            checking.unlock();
        }
    }

    BrokerNotReadyException notReady(String problem) {
        return new BrokerNotReadyException("events can't be forwarded to Kafka at " + settings.brokers() + ": "
                + problem + ". They are stored and wait; no attempt is counted");
    }
}
