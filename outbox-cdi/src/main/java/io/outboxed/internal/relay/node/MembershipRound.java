package io.outboxed.internal.relay.node;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.relay.Progress;
import java.util.function.LongSupplier;

/** A round of the membership's thread: one heartbeat, and what follows from one that fails. */
final class MembershipRound implements RelayThread.Round {
    private final Membership membership;
    private final Progress progress;
    private final OutageLog beats = new OutageLog(OutboxLog::heartbeatFailed, OutboxLog::heartbeatsRecovered);

    MembershipRound(Membership membership, LongSupplier nanoClock) {
        this.membership = membership;
        this.progress = new Progress(nanoClock);
    }

    @Override
    public long run() {
        try {
            membership.tick();
            beats.worked();
            progress.worked();
        } catch (RuntimeException e) {
            beats.failed(e);
        } catch (Error e) {
            membership.crashed();
            beats.failed(e);
        }
        progress.moved();
        return membership.interval().toNanos();
    }

    Progress progress() {
        return progress;
    }
}
