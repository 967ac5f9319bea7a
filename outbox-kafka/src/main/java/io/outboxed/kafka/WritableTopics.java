package io.outboxed.kafka;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/**
 * The topics that can be written to. Each is checked before its first record, and at most once a second while it has a
 * problem. Thread-safe.
 */
final class WritableTopics {
    private final KafkaSettings settings;
    private final Check check;
    private final LongSupplier nanoClock;
    private final Set<String> writable = ConcurrentHashMap.newKeySet();
    private final TopicProblems problems;
    /** When the topic was last checked because a record was refused. */
    private final Map<String, Long> refusedAt = new HashMap<>();

    private final ReentrantLock checking = new ReentrantLock();
    /** Applied under the lock of the check, before a check and at its end. */
    private final Queue<Runnable> doubts = new ConcurrentLinkedQueue<>();

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

    WritableTopics(KafkaSettings settings, Check check) {
        this(settings, check, System::nanoTime);
    }

    WritableTopics(KafkaSettings settings, Check check, LongSupplier nanoClock) {
        this.settings = settings;
        this.check = check;
        this.nanoClock = nanoClock;
        this.problems = new TopicProblems(nanoClock);
    }

    /** For the start: problems are logged, and checked again with the first event. */
    void checkAtStart() throws InterruptedException {
        List<String> topics = settings.routes().fixedTopics();
        if (!topics.isEmpty() && checking.tryLock(settings.maxBlock().toMillis(), TimeUnit.MILLISECONDS)) {
            try {
                check(topics);
            } finally {
                checking.unlock();
            }
        }
    }

    boolean contain(String topic) {
        return writable.contains(topic);
    }

    /**
     * Returns if the topic can be written to.
     *
     * @throws BrokerNotReadyException if not, or if this took so long that the lease may be over once the send has
     *     begun
     */
    void await(String topic) throws InterruptedException {
        if (writable.contains(topic)) {
            return;
        }
        long begun = nanoClock.getAsLong();
        if (!checking.tryLock(settings.maxBlock().toMillis(), TimeUnit.MILLISECONDS)) {
            throw notReady("its answer is still awaited");
        }
        try {
            if (!writable.contains(topic)) {
                problems.pauseWhileUnanswered();
                if (!problems.isRecent(topic)) {
                    check(List.of(topic));
                }
                if (!writable.contains(topic)) {
                    throw notReady(problems.of(topic));
                }
            }
        } finally {
            checking.unlock();
        }
        if (nanoClock.getAsLong() - begun > settings.maxBlock().toNanos()) {
            throw notReady("it has answered later than " + KafkaKeys.PREFIX + ProducerConfig.MAX_BLOCK_MS_CONFIG + " ("
                    + settings.maxBlock().toMillis() + " ms)");
        }
    }

    private void check(Collection<String> topics) throws InterruptedException {
        applyDoubts();
        boolean had = problems.exist();
        boolean isNew;
        try {
            isNew = problems.answered(topics, check.problems(topics));
            isNew |= checkAgain(problems.toCheckAgain());
        } catch (ExecutionException e) {
            isNew = problems.notAnswered(topics, e.getCause());
        } catch (TimeoutException e) {
            isNew = problems.notAnswered(topics, e);
        } catch (KafkaException e) {
            isNew = problems.noClient(topics, e);
        }
        topics.stream().filter(topic -> !problems.exist(topic)).forEach(writable::add);
        applyDoubts();
        if (isNew) {
            OutboxLog.kafkaNotReady(settings.brokers(), problems.texts());
        } else if (had && !problems.exist()) {
            OutboxLog.kafkaReady(settings.brokers());
        }
    }

    /**
     * Not in the same request: what is wrong with one of these must hold up no other topic. One that is good now is
     * checked before its next record, as any other.
     */
    private boolean checkAgain(Collection<String> topics) {
        if (topics.isEmpty()) {
            return false;
        }
        try {
            return problems.answered(topics, check.problems(topics));
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            problems.stay(topics);
        } catch (InterruptedException e) {
            problems.stay(topics);
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** A send to it has failed: it is checked before the next one. */
    void doubt(String topic) {
        writable.remove(topic);
    }

    /** What the relay is told of a record that was refused: it waits if the topic takes less by now. */
    RuntimeException refused(String topic, Throwable cause) {
        if (SendFailure.isTooLargeForTheTopic(cause)) {
            doubtOnceASecond(topic);
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

    /**
     * A check for each of many such records would hold up all sends to the topic. A second thread must not find the
     * topic writable before it has been removed.
     */
    private synchronized void doubtOnceASecond(String topic) {
        long now = nanoClock.getAsLong();
        Long last = refusedAt.get(topic);
        if (last == null || now - last >= TopicProblems.BETWEEN_CHECKS) {
            refusedAt.put(topic, now);
            doubtEvenIfChecked(() -> writable.remove(topic));
            writable.remove(topic);
        }
    }

    /** @param also done before the next check */
    void doubtAll(Runnable also) {
        doubtEvenIfChecked(() -> {
            writable.clear();
            also.run();
        });
        writable.clear();
    }

    /** A check that is under way may have asked before the topic changed. It is not waited for here: it may hang. */
    private void doubtEvenIfChecked(Runnable doubt) {
        doubts.add(doubt);
        if (checking.tryLock()) {
            try {
                applyDoubts();
            } finally {
                checking.unlock();
            }
        }
    }

    private void applyDoubts() {
        for (Runnable next = doubts.poll(); next != null; next = doubts.poll()) {
            next.run();
        }
    }

    /** @return whether no check is under way, or it has ended in time */
    boolean awaitCheck(Duration longest) throws InterruptedException {
        boolean free = checking.tryLock(longest.toMillis(), TimeUnit.MILLISECONDS);
        if (free) {
            checking.unlock();
        }
        return free;
    }

    BrokerNotReadyException notReady(String problem) {
        return new BrokerNotReadyException("events can't be forwarded to Kafka at " + settings.brokers() + ": "
                + problem + ". They are stored and wait; no attempt is counted");
    }
}
