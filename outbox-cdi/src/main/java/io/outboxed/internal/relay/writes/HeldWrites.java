package io.outboxed.internal.relay.writes;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.LockedRow;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Writes that the database can't make now, mostly because their rows are locked; all others continue. */
final class HeldWrites {
    private static final long REFUSED_RETRY_DELAY = Duration.ofSeconds(5).toNanos();

    private final List<Held> held = new ArrayList<>();
    /** Lanes with a write that waits until the cause in the database is fixed. */
    private final Set<Long> refused = new HashSet<>();

    record Held(Lease lease, PendingWrite write, long until) {}

    /** @return false if it is not to be tried again */
    boolean hold(Lease lease, PendingWrite write, StoreException cause, long now) {
        long lane = write.write().inLane();
        if (cause.isRowLocked()) {
            held.add(new Held(lease, write, now + LockedRow.RETRY_DELAY));
            return true;
        }
        if (cause.isForAllRows() && isAwaited(write.write())) {
            // read again, its handler would be called repeatedly, and no attempt would count
            held.add(new Held(lease, write, now + REFUSED_RETRY_DELAY));
            if (refused.add(lane)) {
                OutboxLog.writeKept(lease, write.write(), cause);
            }
            return true;
        }
        refused.remove(lane);
        OutboxLog.writeRejected(lease, write.write(), cause);
        return false;
    }

    /** Its turn, or the handover of its shard, waits for it. Any other write would be made again while it waits. */
    private static boolean isAwaited(FencedWrite write) {
        return write instanceof FencedWrite.Resolve
                || write instanceof FencedWrite.Count
                || write instanceof FencedWrite.ChangeStarts
                || write instanceof FencedWrite.TakeBackStart;
    }

    void written(PendingWrite write) {
        refused.remove(write.write().inLane());
    }

    /** One that is to be tried now, which is no longer held. */
    Optional<Held> takeDue(long now) {
        Optional<Held> due =
                held.stream().filter(each -> now - each.until() >= 0).findFirst();
        due.ifPresent(held::remove);
        return due;
    }

    LongStream retryTimes() {
        return held.stream().mapToLong(Held::until);
    }

    void drop(Lease lease) {
        List<Held> dropped =
                held.stream().filter(each -> each.lease().equals(lease)).toList();
        dropped.forEach(each -> refused.remove(each.write().write().inLane()));
        held.removeAll(dropped);
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    boolean anyPause(Lease lease) {
        return held.stream()
                .anyMatch(each -> each.lease().equals(lease) && each.write().write() instanceof FencedWrite.Pause);
    }

    Stream<PendingWrite> writes() {
        return held.stream().map(Held::write);
    }
}
