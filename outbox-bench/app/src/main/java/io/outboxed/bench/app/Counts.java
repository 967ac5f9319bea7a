package io.outboxed.bench.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts handled events and records their times; aggregate 0, which a workload may make hot or block, is counted
 * separately.
 */
@ApplicationScoped
public class Counts {
    private final LongAdder all = new LongAdder();
    private final LongAdder others = new LongAdder();
    private final AtomicLong first = new AtomicLong();
    private final LongAccumulator last = new LongAccumulator(Math::max, 0);
    private final LongAccumulator lastOther = new LongAccumulator(Math::max, 0);

    void handled(long aggregate) {
        long now = System.nanoTime();
        if (first.get() == 0) {
            first.compareAndSet(0, now);
        }
        last.accumulate(now);
        if (aggregate != 0) {
            lastOther.accumulate(now);
            others.increment();
        }
        all.increment();
    }

    public void reset() {
        all.reset();
        others.reset();
        first.set(0);
        last.reset();
        lastOther.reset();
    }

    long all() {
        return all.sum();
    }

    /** All times are from {@link System#nanoTime()}, which on Linux is one clock for all processes. */
    String lines() {
        return "handled=" + all() + "\nothers=" + others.sum() + "\nfirst=" + first.get() + "\nlast=" + last.get()
                + "\nlast_other=" + lastOther.get() + "\n";
    }
}
