package io.outboxed.bench.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicLongArray;

/** When each paced event was due, committed and handled. A second node knows only the last of these. */
@ApplicationScoped
public class Journey {
    private static final int MOST = 2_000_000;

    private volatile AtomicLongArray due = new AtomicLongArray(0);
    private volatile AtomicLongArray committed = new AtomicLongArray(0);
    private volatile AtomicLongArray arrived = new AtomicLongArray(0);

    /** Discards the last run and makes room for the next. */
    public void prepare(int events) {
        if (events > MOST) {
            throw new IllegalArgumentException(events + " events are more than " + MOST);
        }
        due = new AtomicLongArray(events);
        committed = new AtomicLongArray(events);
        arrived = new AtomicLongArray(events);
    }

    void due(int index, long nanos) {
        due.set(index, nanos);
    }

    void committed(int index, long nanos) {
        committed.set(index, nanos);
    }

    void arrived(int index, long nanos) {
        AtomicLongArray times = arrived;
        if (index < times.length()) {
            times.compareAndSet(index, 0, nanos);
        }
    }

    /** One line for each event: due, committed, handled; 0 for what this node does not know. */
    String lines() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < due.length(); i++) {
            text.append(due.get(i))
                    .append(' ')
                    .append(committed.get(i))
                    .append(' ')
                    .append(arrived.get(i))
                    .append('\n');
        }
        return text.toString();
    }
}
