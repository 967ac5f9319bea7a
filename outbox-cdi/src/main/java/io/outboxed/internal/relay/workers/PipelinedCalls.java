package io.outboxed.internal.relay.workers;

import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs calls of a forwarder together with others of its queue: all of them begin before the first one ends, but
 * never two of one lane.
 */
final class PipelinedCalls {
    /** What all workers have under way of forwarders: half of what the relay keeps in memory. */
    static final long MOST_BYTES = 32L << 20;
    /** A beginning that takes longer has met a problem, and those that have begun wait for it. */
    private static final long LONGEST_BEGINNING = Duration.ofMillis(200).toNanos();

    private final CallReporter reporter;
    private final CallQueue calls;
    private final RunningCalls running;
    private final HandlerInvoker invoker;
    private final OutboxMeters meters;
    private final LongSupplier nanoClock;
    private final LeaseClock leaseClock;
    private final long mostBytes;

    PipelinedCalls(
            RelayDependencies dependencies,
            CallReporter reporter,
            CallQueue calls,
            RunningCalls running,
            LeaseClock leaseClock) {
        this.reporter = reporter;
        this.calls = calls;
        this.running = running;
        this.invoker = dependencies.invoker();
        this.meters = dependencies.meters();
        this.nanoClock = dependencies.nanoClock();
        this.leaseClock = leaseClock;
        this.mostBytes = MOST_BYTES / dependencies.config().relay().workers();
    }

    /** Whether the call's handler is a forwarder. */
    boolean isForwarder(Call call) {
        return invoker.knows(call.delivery().key())
                && invoker.mode(call.delivery().key()).isForwarder();
    }

    /** This call and others of its queue, which it takes from there. */
    List<Call> together(Call first) {
        return calls.takeTogether(first, invoker.mostTogether(first.delivery().key()), mostBytes);
    }

    /**
     * Runs these calls together, and those that follow them in their lanes.
     *
     * @param since when the series began
     */
    void run(List<Call> together, long since) {
        List<Call> wave = together;
        Call taken = wave.get(0);
        try {
            while (!wave.isEmpty()) {
                taken = wave.get(0);
                wave = runWave(wave, since);
            }
        } finally {
            calls.ended(taken);
        }
    }

    /** @return the calls that follow those of this wave in their lanes */
    private List<Call> runWave(List<Call> wave, long since) {
        List<Outcome> outcomes;
        List<Call> following;
        try {
            outcomes = outcomes(wave);
            following = new ArrayList<>(wave.size());
        } catch (Throwable e) {
            wave.forEach(reporter::lose);
            throw e;
        }
        reporter.report(wave, outcomes, since, following);
        return following;
    }

    private List<Outcome> outcomes(List<Call> wave) {
        List<Outcome> outcomes = new ArrayList<>();
        running.begin(wave);
        try {
            List<Begun> begun = new ArrayList<>();
            long startedAt = nanoClock.getAsLong();
            for (Call call : wave) {
                begun.add(begin(call, startedAt));
            }
            begun.forEach(each -> outcomes.add(end(each)));
        } finally {
            running.end();
        }
        return outcomes;
    }

    private Begun begin(Call call, long startedAt) {
        long now = nanoClock.getAsLong();
        try {
            boolean mayBegin = now - startedAt < LONGEST_BEGINNING && call.mayBegin(leaseClock);
            Supplier<Outcome> end = mayBegin ? invoker.begin(call.delivery(), call.lease(), leaseClock::isValid) : null;
            return new Begun(call, nanoClock.getAsLong() - now, end);
        } catch (Throwable e) {
            return new Begun(call, 0, () -> new Outcome.Unknown(e));
        }
    }

    private Outcome end(Begun begun) {
        if (begun.end() == null) {
            return new Outcome.NotBegun();
        }
        long since = nanoClock.getAsLong();
        try {
            Outcome outcome = begun.end().get();
            if (!(outcome instanceof Outcome.NotBegun)) {
                Delivery delivery = begun.call().delivery();
                meters.deliveries(delivery.head().type(), delivery.handler())
                        .processed(begun.took() + nanoClock.getAsLong() - since, outcome.errorType());
            }
            return outcome;
        } catch (Throwable e) {
            return new Outcome.Unknown(e);
        }
    }

    /**
     * @param took how long its beginning has occupied the worker
     * @param end null if it was not begun
     */
    private record Begun(Call call, long took, Supplier<Outcome> end) {}
}
