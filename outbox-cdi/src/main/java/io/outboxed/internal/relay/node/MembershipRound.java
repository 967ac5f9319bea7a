package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Liveness;
import io.outboxed.internal.relay.OutageLog;
import java.util.function.LongSupplier;

/** A round of the membership's thread: one heartbeat, and what follows from one that fails. */
final class MembershipRound implements RelayThread.Round {
    private final Membership membership;
    private final Liveness liveness;
    private final OutageLog beats = new OutageLog(OutboxLog::heartbeatFailed, OutboxLog::heartbeatsRecovered);

    MembershipRound(Membership membership, LongSupplier nanoClock) {
        this.membership = membership;
        this.liveness = new Liveness(nanoClock);
    }

    @Override
    public long run() {
        try {
            membership.tick();
            beats.worked();
            liveness.succeeded();
        } catch (RuntimeException e) {
            beats.failed(e);
        } catch (Error e) {
            membership.crashed();
            beats.failed(e);
        }
        liveness.completed();
        return membership.interval().toNanos();
    }

    Liveness liveness() {
        return liveness;
    }
}
