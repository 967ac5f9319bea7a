package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Calls of one lane for a handler that takes them together: all in one call, and if that fails, each alone. A failure of
 * several counts for none of them; the first that fails alone is the one whose attempt counts.
 */
public final class BatchCalls {
    /** One after the other they occupy a worker no longer than this, or for one call: others are waiting. */
    private static final Duration LONGEST_ALONE = Duration.ofSeconds(1);

    private final CallReporter reporter;
    private final Consumer<Call> over;
    private final LongSupplier nanoClock;
    private final long timeout;
    /** The first of those that are not yet reported; null: none. */
    private Call left;

    private boolean alone;
    private long since;
    private Call ranLast;

    /**
     * @param first with those that follow it
     * @param over called at the end, with the call that ran last
     * @param timeout of a handler's call; zero: none
     */
    BatchCalls(Call first, CallReporter reporter, Consumer<Call> over, LongSupplier nanoClock, Duration timeout) {
        this.left = first;
        this.reporter = reporter;
        this.over = over;
        this.nanoClock = nanoClock;
        this.timeout = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
        this.since = nanoClock.getAsLong();
    }

    /** What is to be called now: several together, or one; empty: all have ended. */
    public List<Call> next() {
        if (left == null) {
            return List.of();
        }
        ranLast = left;
        return alone ? List.of(left) : left.andFollowing();
    }

    /** How the call of what {@link #next} returns has ended. */
    public void ended(Outcome outcome) {
        boolean several = !alone && left.next() != null;
        boolean done = outcome instanceof Outcome.Done;
        boolean called = !(outcome instanceof Outcome.NotBegun || outcome instanceof Outcome.NoTransaction);
        // a second run of a batch that took too long might take many times as long
        if (several && called && !done && lasted() < timeout) {
            alone = true;
            since = nanoClock.getAsLong();
            Delivery first = left.delivery();
            Throwable failure = outcome instanceof Outcome.Failed failed ? failed.failure() : null;
            OutboxLog.batchFailed(first.handler(), left.andFollowing().size(), first.head(), first.body(), failure);
            return;
        }
        try {
            if (done && !alone) {
                reporter.reportAll(takeLeft(), outcome);
            } else {
                reportFirst(outcome, done);
            }
        } finally {
            if (left == null) {
                over.accept(ranLast);
            }
        }
    }

    /** After an error between two reports: the calls that nothing else will report. */
    void abandon() {
        if (left != null) {
            reporter.lose(takeLeft());
            over.accept(ranLast);
        }
    }

    private void reportFirst(Outcome outcome, boolean done) {
        Call first = left;
        left = first.next();
        boolean goesOn = false;
        try {
            boolean toRecord = reporter.report(first, outcome);
            // the next event must not be called before this success is recorded
            goesOn = done && !toRecord && lasted() < Math.min(timeout, LONGEST_ALONE.toNanos());
        } finally {
            if (!goesOn) {
                reporter.notReached(takeLeft());
            }
        }
    }

    private Call takeLeft() {
        Call taken = left;
        left = null;
        return taken;
    }

    private long lasted() {
        return nanoClock.getAsLong() - since;
    }
}
