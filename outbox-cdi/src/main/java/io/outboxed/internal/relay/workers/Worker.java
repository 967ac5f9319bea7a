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
import java.util.function.LongSupplier;

/** Calls handlers, one at a time, and reports the outcomes. */
public final class Worker {
    private final CallQueue calls;
    private final RunningCalls running;
    private final HandlerInvoker invoker;
    private final LeaseClock leaseClock;
    private final OutboxMeters meters;
    private final LongSupplier nanoClock;
    private final Duration timeout;
    private final CallReporter reporter;
    private final PipelinedCalls pipelined;

    public Worker(
            RelayDependencies dependencies,
            CallQueue calls,
            RunningCalls running,
            LeaseClock leaseClock,
            CallReporter reporter) {
        this.calls = calls;
        this.running = running;
        this.invoker = dependencies.invoker();
        this.meters = dependencies.meters();
        this.nanoClock = dependencies.nanoClock();
        this.leaseClock = leaseClock;
        this.timeout = dependencies.config().handler().timeout();
        this.reporter = reporter;
        this.pipelined = new PipelinedCalls(dependencies, reporter, calls, running, leaseClock);
    }

    /** Runs this call and those that follow it in its lane. */
    public void runSeries(Call first) {
        Call notBegun = first;
        try {
            long since = nanoClock.getAsLong();
            if (pipelined.isForwarder(first)) {
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
        return new BatchCalls(first, reporter, calls::ended, nanoClock, timeout);
    }

    private void runBatch(BatchCalls batch) {
        try {
            for (List<Call> next = batch.next(); !next.isEmpty(); next = batch.next()) {
                batch.ended(next.size() == 1 ? outcome(next.get(0)) : outcome(next));
            }
        } finally {
            batch.abandon();
        }
    }

    private Outcome outcome(List<Call> together) {
        Call first = together.get(0);
        try {
            List<Delivery> deliveries = together.stream().map(Call::delivery).toList();
            return first.mayBegin(leaseClock) ? timed(first, deliveries) : new Outcome.NotBegun();
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
        reporter.lose(call);
        calls.ended(call);
    }

    private Outcome outcome(Call call) {
        try {
            return call.mayBegin(leaseClock) ? timed(call, List.of()) : new Outcome.NotBegun();
        } catch (Throwable e) {
            // only its row shows how the call ended
            return new Outcome.Unknown(e);
        }
    }

    public Call report(Call call, Outcome outcome, long since) {
        Call next = null;
        try {
            next = reporter.report(call, outcome, since);
        } finally {
            if (next == null) {
                calls.ended(call);
            }
        }
        return next;
    }

    /** Reports the calls whose outcome an error has lost. */
    public void reportLost() {
        reporter.reportLost();
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
}
