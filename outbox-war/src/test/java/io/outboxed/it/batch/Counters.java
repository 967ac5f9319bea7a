package io.outboxed.it.batch;

import io.outboxed.EventBatch;
import io.outboxed.OutboxMessage;
import io.outboxed.Outboxed;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Publishes many events at once, and takes them in batches. */
@ApplicationScoped
public class Counters {
    /** The counter of which one event fails once. */
    static final String FAILING = "failing";

    private static final int FAILS = 40;

    private final Map<String, List<List<Integer>>> committed = new ConcurrentHashMap<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transactions;

    @Outboxed
    @Transactional
    public List<Counted> count(String counter, int most) {
        return IntStream.rangeClosed(1, most)
                .mapToObj(number -> new Counted(counter, number))
                .toList();
    }

    void take(@Observes EventBatch<Counted> batch) {
        String counter = batch.events().get(0).counter();
        List<Integer> numbers = batch.events().stream().map(Counted::number).toList();
        if (transactions.getTransactionStatus() != Status.STATUS_ACTIVE) {
            wrong.add("no transaction");
        }
        if (!batch.messages().stream().map(OutboxMessage::aggregateId).allMatch(counter::equals)) {
            wrong.add("several aggregates");
        }
        if (counter.equals(FAILING)
                && numbers.contains(FAILS)
                && batch.messages().get(numbers.indexOf(FAILS)).attempt() == 1) {
            failures.incrementAndGet();
            throw new IllegalStateException("as requested");
        }
        transactions.registerInterposedSynchronization(
                new AfterCommit(() -> committedOf(counter).add(numbers)));
    }

    private List<List<Integer>> committedOf(String counter) {
        return committed.computeIfAbsent(counter, key -> new CopyOnWriteArrayList<>());
    }

    /** The numbers that each call has taken. */
    public List<List<Integer>> committed(String counter) {
        return List.copyOf(committedOf(counter));
    }

    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    public int failures() {
        return failures.get();
    }
}
