package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The events of one shard on their way: one transaction after the other, each with all that has arrived during the
 * previous one. Thread-safe.
 */
final class ShardPipeline {
    private final Function<Lease, FencingProducer> opener;
    private final Executor threads;
    private final StrictFailures failures;
    private final Duration longestTransaction;
    private final Deque<StrictSend> waiting = new ArrayDeque<>();
    private boolean underWay;
    private long usedAt;
    private volatile FencingProducer producer;
    private volatile boolean closed;

    ShardPipeline(
            Function<Lease, FencingProducer> opener,
            Executor threads,
            StrictFailures failures,
            Duration longestTransaction) {
        this.opener = opener;
        this.threads = threads;
        this.failures = failures;
        this.longestTransaction = longestTransaction;
    }

    void add(StrictSend event) {
        synchronized (waiting) {
            waiting.add(event);
            if (underWay) {
                return;
            }
            underWay = true;
        }
        start();
    }

    private void start() {
        try {
            threads.execute(this::work);
        } catch (Throwable e) {
            failures.noThread(withdrawn(), e);
        }
    }

    private void work() {
        List<StrictSend> next = List.of();
        try {
            for (next = next(); !next.isEmpty(); next = next()) {
                send(next);
            }
        } catch (Throwable e) {
            // first: if telling them fails too, later events get another thread
            List<StrictSend> left = withdrawn();
            failures.brokenOff(next, e);
            failures.brokenOff(left, e);
            throw e;
        }
    }

    /** Nothing sends what waits, and by the next attempt its lease may be over. */
    private List<StrictSend> withdrawn() {
        synchronized (waiting) {
            List<StrictSend> left = List.copyOf(waiting);
            waiting.clear();
            underWay = false;
            return left;
        }
    }

    /** What waits under the same lease; if that is nothing, the work ends. */
    private List<StrictSend> next() {
        List<StrictSend> next = new ArrayList<>();
        synchronized (waiting) {
            while (!waiting.isEmpty()
                    && (next.isEmpty()
                            || waiting.peek().lease().equals(next.get(0).lease()))) {
                next.add(waiting.poll());
            }
            underWay = !next.isEmpty();
            usedAt = System.nanoTime();
        }
        return next;
    }

    private void send(List<StrictSend> all) {
        List<StrictSend> before = due(all);
        if (before.isEmpty()) {
            return;
        }
        FencingProducer open;
        try {
            open = producerUnder(before.get(0).lease());
        } catch (Throwable e) {
            if (closed) {
                end(before);
            } else {
                failures.notOpened(before, e);
            }
            return;
        }
        if (closed) {
            end(before);
            return;
        }
        // A producer that was opened too late, after a hand-over or the end of the lease, has just fenced the
        // successor and must not send. After these questions, the successor fences this one.
        List<StrictSend> events = due(before);
        if (!events.isEmpty()) {
            open.send(events.stream().map(StrictSend::record).toList())
                    .ifPresentOrElse(cause -> failed(events, cause), () -> events.forEach(StrictSend::committed));
        }
    }

    /** Those of one lease that may be sent now. The others are told why not, if they still wait. */
    private List<StrictSend> due(List<StrictSend> events) {
        List<StrictSend> wanted = events.stream().filter(StrictSend::isWanted).toList();
        if (wanted.isEmpty()) {
            return wanted;
        }
        if (closed) {
            end(wanted);
            return List.of();
        }
        if (!wanted.get(0).isLeaseValid()) {
            failures.leaseIsOver(wanted);
            return List.of();
        }
        Map<Boolean, List<StrictSend>> byTime =
                wanted.stream().collect(Collectors.partitioningBy(event -> event.hasTimeFor(longestTransaction)));
        failures.tooLate(byTime.get(false));
        return byTime.get(true);
    }

    private FencingProducer producerUnder(Lease lease) {
        FencingProducer open = producer;
        if (open == null || !open.lease().equals(lease)) {
            giveUp();
            open = opener.apply(lease);
            producer = open;
        }
        return open;
    }

    /** If a single event may be at fault, it is found by halves; the others arrive. */
    private void failed(List<StrictSend> events, Throwable cause) {
        if (closed) {
            end(events);
            return;
        }
        boolean ofOneEvent = SendFailure.isOfOneRecord(cause);
        if (!ofOneEvent || !abort()) {
            giveUp();
        }
        if (ofOneEvent && events.size() > 1) {
            int half = events.size() / 2;
            send(events.subList(0, half));
            send(events.subList(half, events.size()));
        } else {
            failures.notCommitted(events, cause);
        }
    }

    private boolean abort() {
        FencingProducer open = producer;
        return open != null && open.abort();
    }

    /** The close may have come too early to see the producer. */
    private void end(List<StrictSend> events) {
        giveUp();
        failures.applicationEnds(events);
    }

    /** The next one ends what this one has left open. */
    private void giveUp() {
        FencingProducer open = producer;
        if (open != null) {
            open.close();
            // not earlier: should that fail, the next attempt or the end closes it
            producer = null;
        }
    }

    /**
     * Closes the producer if it has not been used for so long: this node may no longer hold the shard. The next event
     * opens another one.
     */
    void closeIfUnused(Duration idle) {
        synchronized (waiting) {
            if (underWay || producer == null || System.nanoTime() - usedAt < idle.toNanos()) {
                return;
            }
            // events that arrive wait until it has been given up
            underWay = true;
        }
        try {
            giveUp();
        } finally {
            start();
        }
    }

    /** What is under way fails. */
    void close() {
        closed = true;
        FencingProducer open = producer;
        if (open != null) {
            open.close();
        }
    }
}
