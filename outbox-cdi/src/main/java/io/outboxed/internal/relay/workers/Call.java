package io.outboxed.internal.relay.workers;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.store.cluster.Lease;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of one handler, on its way to a worker.
 *
 * @param requester says whether the call is still wanted
 * @param next the following call of the same lane and handler, to be run by the same worker once this one has
 *     succeeded; null: none
 */
public record Call(CallRequester requester, Delivery delivery, Lease lease, Call next) {

    public String handler() {
        return delivery.handler();
    }

    public boolean mayBegin(LeaseClock leaseClock) {
        return leaseClock.isValid(lease) && !requester.isCancelled();
    }

    /** This call and those that follow it. */
    List<Call> andFollowing() {
        List<Call> calls = new ArrayList<>();
        for (Call call = this; call != null; call = call.next()) {
            calls.add(call);
        }
        return calls;
    }

    /** The size of its payload and of those that follow it. */
    long bytes() {
        long bytes = 0;
        for (Call call = this; call != null; call = call.next()) {
            bytes += call.delivery().head().size();
        }
        return bytes;
    }
}
