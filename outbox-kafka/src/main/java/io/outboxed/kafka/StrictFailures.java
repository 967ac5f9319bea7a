package io.outboxed.kafka;

import io.outboxed.internal.handlers.LeaseExpiredException;
import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** What follows if a transaction fails: what its events are told, and what is checked again. Thread-safe. */
final class StrictFailures {
    private static final long BETWEEN_WARNINGS = Duration.ofMinutes(1).toNanos();

    private final KafkaSettings settings;
    private final WritableTopics topics;
    private final TransactionCheck transactions;
    private final AtomicLong fencedLogged = new AtomicLong(System.nanoTime() - BETWEEN_WARNINGS);
    private final AtomicLong notOpenedLogged = new AtomicLong(System.nanoTime() - BETWEEN_WARNINGS);

    StrictFailures(KafkaSettings settings, WritableTopics topics, TransactionCheck transactions) {
        this.settings = settings;
        this.topics = topics;
        this.transactions = transactions;
    }

    void leaseIsOver(List<StrictSend> events) {
        int shard = events.get(0).lease().shard();
        tell(
                events,
                new LeaseExpiredException(
                        "this node's lease on shard " + shard + " was over before the event was sent"));
    }

    /** Sent now, an event might be stored and its call fail: it would be sent again, and again. */
    void tooLate(List<StrictSend> events) {
        tell(
                events,
                topics.notReady("an event has waited so long for other transactions of its shard that its own might"
                        + " take too long. It was not sent"));
    }

    void applicationEnds(List<StrictSend> events) {
        tell(events, topics.notReady("the application ends"));
    }

    void noThread(List<StrictSend> events, Throwable cause) {
        tell(events, topics.notReady("there is no thread to send them (" + CauseChain.inWords(cause) + ")"));
    }

    /** Of an unexpected error: events that it has told already stay as they are. */
    void brokenOff(List<StrictSend> events, Throwable cause) {
        tell(events, topics.notReady("their transaction was broken off (" + CauseChain.inWords(cause) + ")"));
    }

    /**
     * No event is at fault, and no topic: transactions are tried again. If that works, it was only this producer, and
     * no check will name it.
     */
    void notOpened(List<StrictSend> events, Throwable cause) {
        String problem = "the producer " + idOf(events) + " can't be opened (" + CauseChain.inWords(cause) + ")";
        tell(events, topics.notReady(problem));
        topics.doubtAll(transactions::again);
        if (isDue(notOpenedLogged)) {
            OutboxLog.kafkaNotReady(settings.brokers(), Set.of(problem));
        }
    }

    void notCommitted(List<StrictSend> events, Throwable cause) {
        SendFailure failure = SendFailure.of(cause);
        for (StrictSend event : events) {
            String topic = event.record().topic();
            event.failed(
                    failure == SendFailure.OF_THE_RECORD
                            ? topics.refused(topic, cause)
                            : failure.exception(topic, cause));
        }
        check(events, failure, cause);
    }

    private static void tell(List<StrictSend> events, RuntimeException failure) {
        events.forEach(event -> event.failed(failure));
    }

    private void check(List<StrictSend> events, SendFailure failure, Throwable cause) {
        if (SendFailure.isFenced(cause)) {
            if (events.get(0).isLeaseValid() && isDue(fencedLogged)) {
                OutboxLog.kafkaFenced(idOf(events));
            }
        } else if (failure == SendFailure.OF_THE_BROKER) {
            events.forEach(event -> topics.doubt(event.record().topic()));
        } else if (failure == SendFailure.OF_THE_PRODUCER) {
            topics.doubtAll(transactions::again);
        }
    }

    private static boolean isDue(AtomicLong logged) {
        long now = System.nanoTime();
        long last = logged.get();
        return now - last >= BETWEEN_WARNINGS && logged.compareAndSet(last, now);
    }

    private String idOf(List<StrictSend> events) {
        return settings.transactionalId(String.valueOf(events.get(0).lease().shard()));
    }
}
