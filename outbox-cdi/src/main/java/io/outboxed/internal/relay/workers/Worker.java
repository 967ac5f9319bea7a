package io.outboxed.internal.relay.workers;

import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Calls handlers, one at a time, and reports the outcomes. */
public final class Worker {
    /** A series of calls in one lane occupies a worker no longer than this, or for one call: others are waiting. */
    private static final long LONGEST_SERIES = Duration.ofMillis(10).toNanos();
    /**
     * Calls may be under way of what windows, long lanes and due times have brought into memory: of each at most as many
     * as configured, and a page.
     */
    private static final int PAGES = 1_000;

    /** Created before an OutOfMemoryError. */
    static final Outcome NOT_REACHED = new Outcome.NotReached();

    private final CallQueue calls;
    private final RunningCalls running;
    private final HandlerInvoker invoker;
    private final LeaseClock leaseClock;
    private final Consumer<Call> successes;
    private final BiConsumer<Call, Outcome> ended;
    private final OutboxMeters meters;
    private final LongSupplier nanoClock;
    private final PipelinedCalls pipelined;
    private final Duration timeout;
    private final UnreportedCalls unreported;

    public Worker(
            RelayDependencies dependencies,
            CallQueue calls,
            RunningCalls running,
            LeaseClock leaseClock,
            Consumer<Call> successes,
            BiConsumer<Call, Outcome> ended) {
        this.calls = calls;
        this.running = running;
        this.invoker = dependencies.invoker();
        this.meters = dependencies.meters();
        this.nanoClock = dependencies.nanoClock();
        this.leaseClock = leaseClock;
        this.successes = successes;
        this.ended = ended;
        this.pipelined = new PipelinedCalls(dependencies, this, calls, running, leaseClock);
        this.timeout = dependencies.config().handler().timeout();
        this.unreported = new UnreportedCalls(3 * dependencies.config().relay().maxInMemory() + PAGES);
    }

    /** Runs this call and those that follow it in its lane. */
    public void runSeries(Call first) {
        Call notBegun = first;
        try {
            long since = nanoClock.getAsLong();
            if (pipelined.contains(first)) {
                List<Call> wave = pipelined.together(first);
                notBegun = null;
                pipelined.run(wave, since);
            } else if (isBatch(first)) {
                BatchCalls batch = batch(first);
                notBegun = null;
                runBatch(batch);
            } else {
                notBegun = null;
                for (Call call = first; call != null; ) {
                    call = run(call, since);
                }
            }
        } finally {
            if (notBegun != null) {
                abandon(notBegun);
            }
        }
    }

    /** Whether this call and those that follow it are of a handler that takes them together. */
    public boolean isBatch(Call first) {
        return first.next() != null && invoker.mode(first.delivery().key()) == HandlerMode.BATCHED;
    }

    /** To be called step by step, in place of {@link #runSeries}. */
    public BatchCalls batch(Call first) {
        return new BatchCalls(first, this::hand, calls::ended, nanoClock, timeout);
    }

    private void runBatch(BatchCalls batch) {
        try {
            for (List<Call> next = batch.next(); !next.isEmpty(); next = batch.next()) {
                batch.ended(next.size() == 1 ? outcome(next.get(0)) : outcome(next));
            }
        } finally {
            batch.abandon(unreported::keep);
        }
    }

    private Outcome outcome(List<Call> together) {
        Call first = together.get(0);
        try {
            List<Delivery> deliveries = together.stream().map(Call::delivery).toList();
            return mayBegin(first) ? timed(first, deliveries) : new Outcome.NotBegun();
        } catch (Throwable e) {
            return new Outcome.Unknown(e);
        }
    }

    /**
     * @param since when the series began
     * @return the next call of the series, or null
     */
    public Call run(Call call, long since) {
        Outcome outcome = null;
        try {
            outcome = outcome(call);
        } finally {
            if (outcome == null) {
                abandon(call);
            }
        }
        return report(call, outcome, since);
    }

    private void abandon(Call call) {
        lose(call);
        calls.ended(call);
    }

    private Outcome outcome(Call call) {
        try {
            return mayBegin(call) ? timed(call, List.of()) : new Outcome.NotBegun();
        } catch (Throwable e) {
            // only its row shows how the call ended
            return new Outcome.Unknown(e);
        }
    }

    public Call report(Call call, Outcome outcome, long since) {
        Call next = null;
        try {
            next = tell(call, outcome, since);
        } finally {
            if (next == null) {
                calls.ended(call);
            }
        }
        return next;
    }

    /** As {@link #report}, but the call keeps its place in the queue's account. */
    Call tell(Call call, Outcome outcome, long since) {
        boolean goesOn = false;
        try {
            boolean done = hand(call, outcome);
            goesOn = done && call.next() != null && nanoClock.getAsLong() - since < LONGEST_SERIES;
        } finally {
            if (!goesOn) {
                notReached(call.next());
            }
        }
        return goesOn ? call.next() : null;
    }

    /** An error in the report of one of them must not lose the others: nothing else would end their turns. */
    private void notReached(Call first) {
        if (first != null) {
            try {
                hand(first, NOT_REACHED);
            } finally {
                notReached(first.next());
            }
        }
    }

    /** @return whether it is a success that an acknowledger has to record */
    private boolean hand(Call call, Outcome outcome) {
        boolean toRecord = outcome instanceof Outcome.Done success && !success.acknowledged();
        boolean handed = false;
        try {
            if (toRecord) {
                successes.accept(call);
            } else {
                ended.accept(call, outcome);
            }
            handed = true;
        } finally {
            if (!handed) {
                unreported.keep(call);
            }
        }
        return toRecord;
    }

    /** An error has lost the outcomes of this call and of those that follow it. */
    void lose(Call first) {
        for (Call call = first; call != null; call = call.next()) {
            unreported.keep(call);
        }
    }

    /** Reports the calls whose outcome an error has lost: only their rows show how they ended. */
    public void reportLost() {
        unreported.report(call -> ended.accept(
                call, new Outcome.Unknown(new IllegalStateException("an error occurred while its end was reported"))));
    }

    /** @param together the deliveries of a batch; empty: the call's own */
    private Outcome timed(Call call, List<Delivery> together) {
        Delivery delivery = call.delivery();
        long startedAt = nanoClock.getAsLong();
        Outcome outcome;
        running.begin(List.of(call));
        try {
            outcome = together.isEmpty() ? invoker.deliver(delivery) : invoker.deliverTogether(together);
        } finally {
            running.end();
        }
        meters.deliveries(delivery.head().type(), delivery.handler())
                .processed(nanoClock.getAsLong() - startedAt, outcome.errorType());
        return outcome;
    }

    boolean mayBegin(Call call) {
        return leaseClock.isValid(call.lease()) && !call.cancellation().isCancelled();
    }
}
