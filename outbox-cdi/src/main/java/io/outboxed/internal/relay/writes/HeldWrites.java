package io.outboxed.internal.relay.writes;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** Writes that the database can't make now, mostly because their rows are locked; all others continue. */
final class HeldWrites {
    private static final long LONGEST_REST = Duration.ofSeconds(5).toNanos();
    /** To try one costs two transactions, and what keeps one of them out mostly keeps the others out too. */
    private static final int REJECTED_AT_ONCE = 10;
    /** One that is waited for takes at most a tenth of the loop's time. */
    private static final int PAUSES_PER_WAIT = 9;

    private final List<Held> held = new ArrayList<>();
    /** Lanes with a write that waits until the cause in the database is fixed. */
    private final Set<Long> rejected = new HashSet<>();

    private int rejectedAgain;
    /** Several that are waited for take at most half of the loop's time, and many that fail again a tenth. */
    private long restingUntil = Long.MIN_VALUE;

    record Held(Lease lease, PendingWrite write, long until) {}

    /** @return false if it is not to be tried again */
    boolean hold(Lease lease, PendingWrite write, StoreException cause, long now) {
        long lane = write.write().inLane();
        if (cause.isRowLocked()) {
            held.add(new Held(lease, write, now + RelayStore.LOCKED_ROW_RETRY_DELAY));
            return true;
        }
        if (cause.isForAllRows() && isAwaited(write.write())) {
            // read again, its handler would be called repeatedly, and no attempt would count
            held.add(new Held(lease, write, now + RelayStore.REJECTED_RETRY_DELAY));
            if (rejected.add(lane)) {
                OutboxLog.writeKept(lease, write.write(), cause);
            } else if (++rejectedAgain % REJECTED_AT_ONCE == 0) {
                postponeRejected(now + RelayStore.REJECTED_RETRY_DELAY);
            }
            return true;
        }
        rejected.remove(lane);
        OutboxLog.writeRejected(lease, write.write(), cause);
        return false;
    }

    /** @param waited how long the database has waited for its lock; 0 if that is not known yet */
    void holdWaitedFor(Lease lease, PendingWrite write, long now, long waited) {
        held.add(new Held(lease, write, now + PAUSES_PER_WAIT * waited));
        restingUntil = Math.max(restingUntil, now + waited);
    }

    /** @param took how long those took that have just failed again */
    void rest(long now, long took) {
        restingUntil = Math.max(restingUntil, now + Math.min(PAUSES_PER_WAIT * took, LONGEST_REST));
    }

    int count() {
        return held.size();
    }

    private void postponeRejected(long until) {
        held.replaceAll(each ->
                rejected.contains(each.write().write().inLane()) ? new Held(each.lease(), each.write(), until) : each);
    }

    /** Its turn, or the handover of its shard, waits for it. Any other write would be made again while it waits. */
    private static boolean isAwaited(FencedWrite write) {
        return write instanceof FencedWrite.Resolve
                || write instanceof FencedWrite.CountAttempt
                || write instanceof FencedWrite.UpdateStarts
                || write instanceof FencedWrite.RevertStart;
    }

    void written(PendingWrite write) {
        rejected.remove(write.write().inLane());
    }

    /** One that is to be tried now, which is no longer held. */
    Optional<Held> takeDue(long now) {
        Optional<Held> due = held.stream()
                .filter(each -> now >= restingUntil && now - each.until() >= 0)
                .findFirst();
        due.ifPresent(held::remove);
        return due;
    }

    LongStream retryTimes() {
        return held.stream().mapToLong(each -> Math.max(each.until(), restingUntil));
    }

    void drop(Lease lease) {
        List<Held> dropped =
                held.stream().filter(each -> each.lease().equals(lease)).toList();
        dropped.forEach(each -> rejected.remove(each.write().write().inLane()));
        held.removeAll(dropped);
    }

    void dropAll() {
        held.clear();
        rejected.clear();
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    boolean anyPause(Lease lease) {
        return held.stream()
                .anyMatch(each -> each.lease().equals(lease) && each.write().write() instanceof FencedWrite.PauseLane);
    }

    boolean any(Predicate<PendingWrite> which) {
        for (Held each : held) {
            if (which.test(each.write())) {
                return true;
            }
        }
        return false;
    }
}
