package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxMeters;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes calls, one at a time, and reports how they ended. */
final class Worker {
    /** Calls that follow each other in a lane keep a worker no longer than this, or one call: others wait for it. */
    private static final long LONGEST_ROW_OF_CALLS = Duration.ofMillis(10).toNanos();

    private final CallQueue calls;
    private final RunningCalls running;
    private final Deliveries deliveries;
    private final LeaseClock leaseClock;
    private final Consumer<Call> successes;
    private final Inbox inbox;
    private final Relay relay;
    private final OutboxMeters meters;
    private final LongSupplier nanoClock;

    Worker(
            RelayParts parts,
            CallQueue calls,
            RunningCalls running,
            LeaseClock leaseClock,
            Consumer<Call> successes,
            Inbox inbox,
            Relay relay) {
        this.calls = calls;
        this.running = running;
        this.deliveries = parts.deliveries();
        this.meters = parts.meters();
        this.nanoClock = parts.nanoClock();
        this.leaseClock = leaseClock;
        this.successes = successes;
        this.inbox = inbox;
        this.relay = relay;
    }

    /**
     * @param since when the first call of its row began
     * @return the one to make next, or null
     */
    Call make(Call call, long since) {
        return report(call, mayBegin(call) ? timed(call) : new Outcome.NotBegun(), since);
    }

    Call report(Call call, Outcome outcome, long since) {
        boolean done = outcome instanceof Outcome.Done success && !success.settled();
        if (done) {
            successes.accept(call);
        } else {
            inbox.post(() -> relay.ended(call, outcome));
        }
        if (done && call.next() != null && nanoClock.getAsLong() - since < LONGEST_ROW_OF_CALLS) {
            return call.next();
        }
        calls.ended(call);
        for (Call left = call.next(); left != null; left = left.next()) {
            Call leftOut = left;
            inbox.post(() -> relay.ended(leftOut, new Outcome.NotReached()));
        }
        return null;
    }

    private Outcome timed(Call call) {
        Delivery delivery = call.delivery();
        long startedAt = nanoClock.getAsLong();
        Outcome outcome;
        running.begin(call);
        try {
            outcome = deliveries.deliver(delivery);
        } finally {
            running.end();
        }
        meters.deliveries(delivery.head().type(), delivery.handler())
                .processed(nanoClock.getAsLong() - startedAt, outcome.errorType());
        return outcome;
    }

    private boolean mayBegin(Call call) {
        return leaseClock.isValid(call.lease()) && !call.run().cancelled;
    }
}
