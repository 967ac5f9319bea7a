package io.outboxed.internal.relay.workers;

import io.outboxed.internal.relay.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reports how calls have ended. An error in the report of one call must not lose those of the others: nothing else would
 * end their turns. It is probably an OutOfMemoryError, so what follows it takes no memory. Used by all workers.
 */
final class CallReporter {
    /** A series of calls in one lane occupies a worker no longer than this, or for one call: others are waiting. */
    private static final long LONGEST_SERIES = Duration.ofMillis(10).toNanos();

    private static final Outcome NOT_REACHED = new Outcome.NotReached();

    private final Consumer<Call> successes;
    private final BiConsumer<Call, Outcome> ended;
    private final UnreportedCalls unreported;
    private final LongSupplier nanoClock;

    CallReporter(
            Consumer<Call> successes,
            BiConsumer<Call, Outcome> ended,
            UnreportedCalls unreported,
            LongSupplier nanoClock) {
        this.successes = successes;
        this.ended = ended;
        this.unreported = unreported;
        this.nanoClock = nanoClock;
    }

    /** @return whether it is a success that an acknowledger has to record */
    boolean report(Call call, Outcome outcome) {
        boolean toRecord = outcome instanceof Outcome.Done success && !success.acknowledged();
        boolean reported = false;
        try {
            if (toRecord) {
                successes.accept(call);
            } else {
                ended.accept(call, outcome);
            }
            reported = true;
        } finally {
            if (!reported) {
                unreported.keep(call);
            }
        }
        return toRecord;
    }

    /** Of this call and of those that follow it. */
    void reportAll(Call first, Outcome outcome) {
        if (first != null) {
            try {
                report(first, outcome);
            } finally {
                reportAll(first.next(), outcome);
            }
        }
    }

    /** This call and those that follow it. */
    void notReached(Call first) {
        reportAll(first, NOT_REACHED);
    }

    /**
     * Of a call in a series.
     *
     * @param since when the series began
     * @return the call that follows it, if that is to be run now; otherwise null, and those that follow are reported too
     */
    Call report(Call call, Outcome outcome, long since) {
        boolean goesOn = false;
        try {
            boolean toRecord = report(call, outcome);
            goesOn = toRecord && call.next() != null && nanoClock.getAsLong() - since < LONGEST_SERIES;
        } finally {
            if (!goesOn) {
                notReached(call.next());
            }
        }
        return goesOn ? call.next() : null;
    }

    /**
     * Of calls in several series.
     *
     * @param following takes the calls that follow them and are to be run now; has room for all
     */
    void report(List<Call> together, List<Outcome> outcomes, long since, List<Call> following) {
        boolean reported = false;
        try {
            reportFrom(0, together, outcomes, since, following);
            reported = true;
        } finally {
            if (!reported) {
                following.forEach(this::lose);
            }
        }
    }

    private void reportFrom(int i, List<Call> together, List<Outcome> outcomes, long since, List<Call> following) {
        if (i < together.size()) {
            try {
                Call next = report(together.get(i), outcomes.get(i), since);
                if (next != null) {
                    following.add(next);
                }
            } finally {
                reportFrom(i + 1, together, outcomes, since, following);
            }
        }
    }

    /** An error has lost the outcomes of this call and of those that follow it. */
    void lose(Call first) {
        for (Call call = first; call != null; call = call.next()) {
            unreported.keep(call);
        }
    }

    /** Reports the calls whose outcome an error has lost: only their rows show how they ended. */
    void reportLost() {
        unreported.report(call -> ended.accept(
                call, new Outcome.Unknown(new IllegalStateException("an error occurred while its end was reported"))));
    }
}
