package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The events of one shard on their way: one transaction after the other, each with all that has arrived during the
 * previous one. Thread-safe.
 */
final class ShardLine {
    private final Function<Lease, FencingProducer> opener;
    private final Executor threads;
    private final StrictFailures failures;
    private final Deque<StrictSend> waiting = new ArrayDeque<>();
    private boolean underWay;
    private volatile FencingProducer producer;
    private volatile boolean closed;

    ShardLine(Function<Lease, FencingProducer> opener, Executor threads, StrictFailures failures) {
        this.opener = opener;
        this.threads = threads;
        this.failures = failures;
    }

    void add(StrictSend event) {
        synchronized (waiting) {
            waiting.add(event);
            if (underWay) {
                return;
            }
            underWay = true;
        }
        boolean begun = false;
        try {
            threads.execute(this::work);
            begun = true;
        } finally {
            if (!begun) {
                withdraw(event);
            }
        }
    }

    /** There is no thread for it, which its caller is told. */
    private void withdraw(StrictSend event) {
        synchronized (waiting) {
            waiting.remove(event);
            underWay = false;
        }
    }

    private void work() {
        boolean ended = false;
        try {
            while (!ended) {
                List<StrictSend> next = next();
                ended = next.isEmpty();
                send(next);
            }
        } finally {
            if (!ended) {
                stop();
            }
        }
    }

    /** After an error. What waits goes on with the next event, or is given up by those who wait for it. */
    private void stop() {
        synchronized (waiting) {
            underWay = false;
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
        }
        return next;
    }

    private void send(List<StrictSend> all) {
        List<StrictSend> events = all.stream().filter(StrictSend::isWanted).toList();
        if (events.isEmpty()) {
            return;
        }
        if (closed) {
            failures.applicationEnds(events);
            return;
        }
        FencingProducer open;
        try {
            open = producerUnder(events.get(0).lease());
        } catch (Throwable e) {
            failures.notOpened(events, e);
            return;
        }
        if (closed) {
            // the close may have come too early to see the producer
            giveUp();
            failures.applicationEnds(events);
        } else if (!events.get(0).isLeaseValid()) {
            // a node that froze before it opened its producer has just shut out its successor, and must not send
            failures.leaseIsOver(events);
        } else {
            open.send(events.stream().map(StrictSend::record).toList())
                    .ifPresentOrElse(cause -> failed(events, cause), () -> events.forEach(StrictSend::committed));
        }
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

    /** The next one ends what this one has left open. */
    private void giveUp() {
        FencingProducer open = producer;
        producer = null;
        if (open != null) {
            open.close();
        }
    }

    /** @return what still has to end; empty if nothing */
    Optional<Thread> close() {
        closed = true;
        return Optional.ofNullable(producer).map(FencingProducer::close);
    }
}
