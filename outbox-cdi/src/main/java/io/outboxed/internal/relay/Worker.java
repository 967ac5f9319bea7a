package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxMeters;
import java.util.concurrent.BlockingQueue;
import java.util.function.LongSupplier;

/** Makes calls, one at a time, and reports how they ended. */
final class Worker {
    private final CallQueue calls;
    private final Deliveries deliveries;
    private final LeaseClock leaseClock;
    private final BlockingQueue<Call> successes;
    private final Inbox inbox;
    private final Relay relay;
    private final OutboxMeters meters;
    private final LongSupplier nanoClock;

    Worker(
            RelayParts parts,
            CallQueue calls,
            LeaseClock leaseClock,
            BlockingQueue<Call> successes,
            Inbox inbox,
            Relay relay) {
        this.calls = calls;
        this.deliveries = parts.deliveries();
        this.meters = parts.meters();
        this.nanoClock = parts.nanoClock();
        this.leaseClock = leaseClock;
        this.successes = successes;
        this.inbox = inbox;
        this.relay = relay;
    }

    void make(Call call) {
        report(call, mayBegin(call) ? timed(call.delivery()) : new Outcome.NotBegun());
    }

    void report(Call call, Outcome outcome) {
        calls.ended(call);
        if (outcome instanceof Outcome.Done done && !done.settled()) {
            successes.add(call);
        } else {
            inbox.post(() -> relay.ended(call, outcome));
        }
    }

    private Outcome timed(Delivery delivery) {
        long startedAt = nanoClock.getAsLong();
        Outcome outcome = deliveries.deliver(delivery);
        meters.deliveries(delivery.head().type(), delivery.handler())
                .processed(nanoClock.getAsLong() - startedAt, outcome.errorType());
        return outcome;
    }

    private boolean mayBegin(Call call) {
        return leaseClock.isValid(call.lease()) && !call.run().cancelled;
    }
}
