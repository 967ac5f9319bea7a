package io.outboxed.internal.relay;

/** Makes calls, one at a time, and reports how they ended. */
final class Worker {
    private final CallQueue calls;
    private final Deliveries deliveries;
    private final LeaseClock leaseClock;
    private final Settler settler;
    private final Inbox inbox;
    private final Relay relay;

    Worker(CallQueue calls, Deliveries deliveries, LeaseClock leaseClock, Settler settler, Inbox inbox, Relay relay) {
        this.calls = calls;
        this.deliveries = deliveries;
        this.leaseClock = leaseClock;
        this.settler = settler;
        this.inbox = inbox;
        this.relay = relay;
    }

    void make(Call call) {
        Outcome outcome = mayBegin(call) ? deliveries.deliver(call.delivery()) : new Outcome.NotBegun();
        report(call, outcome);
    }

    void report(Call call, Outcome outcome) {
        calls.ended(call);
        if (outcome instanceof Outcome.Done done && !done.settled()) {
            settler.add(call);
        } else {
            inbox.post(() -> relay.ended(call, outcome));
        }
    }

    private boolean mayBegin(Call call) {
        return leaseClock.isValid(call.lease()) && !call.run().cancelled;
    }
}
