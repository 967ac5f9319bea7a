package io.outboxed.internal.relay.workers;

import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The way of an outcome from a worker: to an acknowledger if it is a success to be recorded, otherwise to the loop. An
 * error in the report of one call must not lose those of the others: nothing else would end their turns. It is probably
 * an OutOfMemoryError, so what follows it takes no memory. Used by all workers.
 */
public final class CallReporter {
    /** A series of calls in one lane occupies a worker no longer than this, or for one call: others are waiting. */
    private static final long LONGEST_SERIES = Duration.ofMillis(10).toNanos();
    /**
     * Windows, long lanes and due waits each bring in at most max-in-memory messages, plus a page: no more calls can be
     * in flight.
     */
    private static final int PAGES = 1_000;

    private static final Outcome NOT_REACHED = new Outcome.NotReached();

    private final Consumer<Runnable> mailbox;
    private final CallListener loop;
    private final Consumer<Call> acknowledgers;
    private final HandlerInvoker invoker;
    private final LongSupplier nanoClock;
    private final UnreportedCalls unreported;
    /**
     * Per circuit, whether a failure was reported and no success since. To report each success takes a tenth of the
     * relay's rate.
     */
    private final Map<String, AtomicBoolean> failing = new ConcurrentHashMap<>();

    /**
     * @param mailbox of the loop
     * @param acknowledgers take the successes that are to be recorded
     */
    public CallReporter(
            RelayDependencies dependencies,
            Consumer<Runnable> mailbox,
            CallListener loop,
            Consumer<Call> acknowledgers) {
        this.mailbox = mailbox;
        this.loop = loop;
        this.acknowledgers = acknowledgers;
        this.invoker = dependencies.invoker();
        this.nanoClock = dependencies.nanoClock();
        this.unreported = new UnreportedCalls(3 * dependencies.config().relay().maxInMemory() + PAGES);
    }

    /** @return whether it is a success that an acknowledger has to record */
    boolean report(Call call, Outcome outcome) {
        boolean toRecord = outcome instanceof Outcome.Done success && !success.acknowledged();
        boolean reported = false;
        try {
            if (toRecord) {
                succeeded(call);
            } else {
                ended(call, outcome);
            }
            reported = true;
        } finally {
            if (!reported) {
                unreported.keep(call);
            }
        }
        return toRecord;
    }

    private void succeeded(Call call) {
        AtomicBoolean failed = failing.isEmpty() ? null : failing.get(circuit(call));
        if (failed != null && failed.compareAndSet(true, false)) {
            try {
                mailbox.accept(() -> loop.receiverWorks(call));
            } catch (Throwable e) {
                failed.set(true);
                throw e;
            }
        }
        acknowledgers.accept(call);
    }

    private void ended(Call call, Outcome outcome) {
        AtomicBoolean failed =
                mayCount(outcome) ? failing.computeIfAbsent(circuit(call), key -> new AtomicBoolean()) : null;
        mailbox.accept(() -> loop.ended(call, outcome));
        // not before: the report of a success that sees it has to come after that of the failure
        if (failed != null) {
            failed.set(true);
        }
    }

    /** An unclear end counts if it comes too often. */
    private static boolean mayCount(Outcome outcome) {
        return outcome instanceof Outcome.Failed
                || outcome instanceof Outcome.Lost
                || outcome instanceof Outcome.Unknown;
    }

    private String circuit(Call call) {
        return invoker.circuit(call.delivery().head(), call.handler());
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
        unreported.report(call -> ended(
                call, new Outcome.Unknown(new IllegalStateException("an error occurred while its end was reported"))));
    }
}
