package io.outboxed.internal.relay.workers;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
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

    /** Takes how a call has ended. */
    interface Report {
        /** @return whether its success is still to be recorded */
        boolean hand(Call call, Outcome outcome);
    }

    private final Report report;
    private final Consumer<Call> over;
    private final LongSupplier nanoClock;
    private final long timeout;
    private final Deque<Call> left = new ArrayDeque<>();
    private boolean alone;
    private long since;
    private Call ranLast;

    /**
     * @param first with those that follow it
     * @param over called at the end, with the call that ran last
     * @param timeout of a handler's call; zero: none
     */
    BatchCalls(Call first, Report report, Consumer<Call> over, LongSupplier nanoClock, Duration timeout) {
        this.report = report;
        this.over = over;
        this.nanoClock = nanoClock;
        this.timeout = timeout.isZero() ? Long.MAX_VALUE : timeout.toNanos();
        this.since = nanoClock.getAsLong();
        for (Call call = first; call != null; call = call.next()) {
            left.addLast(call);
        }
    }

    /** What is to be called now: several together, or one; empty: all have ended. */
    public List<Call> next() {
        if (left.isEmpty()) {
            return List.of();
        }
        ranLast = left.peekFirst();
        return alone ? List.of(ranLast) : List.copyOf(left);
    }

    /** How the call of what {@link #next} returns has ended. */
    public void ended(Outcome outcome) {
        int called = alone ? 1 : left.size();
        boolean done = outcome instanceof Outcome.Done;
        // a second run of a batch that took too long might take many times as long
        boolean again = called > 1 && !done && !(outcome instanceof Outcome.NotBegun) && lasted() < timeout;
        if (again) {
            alone = true;
            since = nanoClock.getAsLong();
            Delivery first = ranLast.delivery();
            Throwable failure = outcome instanceof Outcome.Failed failed ? failed.failure() : null;
            OutboxLog.batchFailed(first.handler(), called, first.head(), first.body(), failure);
            return;
        }
        report(done ? called : 1, outcome, done);
    }

    /** After an error between two reports: the calls that nothing else will report. */
    void abandon(Consumer<Call> unreported) {
        if (left.isEmpty()) {
            return;
        }
        for (Call call = left.pollFirst(); call != null; call = left.pollFirst()) {
            unreported.accept(call);
        }
        over.accept(ranLast);
    }

    /** An error in the report of one call must not lose those of the others: nothing else would end their turns. */
    private void report(int ended, Outcome outcome, boolean done) {
        boolean goesOn = done;
        Throwable failure = null;
        for (int i = 0; i < ended; i++) {
            try {
                // the next event must not be called before this success is recorded
                goesOn &= !report.hand(left.pollFirst(), outcome);
            } catch (Throwable e) {
                goesOn = false;
                failure = e;
            }
        }
        boolean ends = !goesOn || lasted() >= Math.min(timeout, LONGEST_ALONE.toNanos());
        while (ends && !left.isEmpty()) {
            try {
                report.hand(left.pollFirst(), Worker.NOT_REACHED);
            } catch (Throwable e) {
                failure = e;
            }
        }
        if (left.isEmpty()) {
            over.accept(ranLast);
        }
        if (failure != null) {
            throw new IllegalStateException("a call could not be reported", failure);
        }
    }

    private long lasted() {
        return nanoClock.getAsLong() - since;
    }
}
