package io.outboxed.internal.relay.loop;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.LockedRow;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Collects decisions and writes them together, fenced by the leases of their shards. */
final class FencedWrites {
    private static final int MAX_IN_ONE_TRANSACTION = 200;
    private static final long LOCKED_SHARD_RETRY_DELAY = Duration.ofMillis(50).toNanos();
    private static final long REFUSED_RETRY_DELAY = Duration.ofSeconds(5).toNanos();

    private final FencedWriter store;
    private final Consumer<Lease> lost;
    private final Consumer<Lane> refused;
    private final LongSupplier nanoClock;
    /** Writes that the database can't make now, mostly because their rows are locked; all others continue. */
    private final List<Held> held = new ArrayList<>();
    /** Lanes with a decision that waits until the cause in the database is fixed. */
    private final Set<Long> refusedForAll = new HashSet<>();

    private final OutageLog outage = new OutageLog(OutboxLog::writesPostponed, OutboxLog::writesRecovered);
    private final Map<Lease, List<Pending>> pending = new LinkedHashMap<>();
    /** Leases whose shard row is locked by another transaction, and when the next attempt is made. */
    private final Map<Lease, Long> locked = new HashMap<>();

    /** The first failure of a callback after a commit during this flush. */
    private RuntimeException failure;

    /**
     * @param lost called with a lease that another node has taken
     * @param refused called with a lane whose write the database rejects permanently
     */
    FencedWrites(FencedWriter store, Consumer<Lease> lost, Consumer<Lane> refused, LongSupplier nanoClock) {
        this.store = store;
        this.lost = lost;
        this.refused = refused;
        this.nanoClock = nanoClock;
    }

    /** @param then runs after the commit */
    void add(Lease lease, Lane lane, FencedWrite write, Runnable then) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).add(new Pending(write, lane, then));
    }

    void drop(Lease lease) {
        pending.remove(lease);
        locked.remove(lease);
        List<Held> dropped =
                held.stream().filter(each -> each.lease().equals(lease)).toList();
        dropped.forEach(each -> refusedForAll.remove(each.pending().lane().key));
        held.removeAll(dropped);
    }

    boolean isEmpty() {
        return pending.isEmpty() && held.isEmpty();
    }

    boolean anyToFlushNow() {
        return pending.keySet().stream().anyMatch(lease -> !isLocked(lease));
    }

    /** Whether the shard row is locked by another transaction, so that the shard's decisions wait. */
    boolean isLocked(Lease lease) {
        return locked.containsKey(lease);
    }

    long untilRetry(long now) {
        return LongStream.concat(
                        held.stream().mapToLong(Held::until),
                        locked.values().stream().mapToLong(until -> until))
                .map(until -> Math.max(0, until - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether a decision about this lane is not written yet. */
    boolean hasPendingFor(long lane) {
        return held.stream().anyMatch(each -> each.pending().lane().key == lane)
                || pending.values().stream().flatMap(List::stream).anyMatch(each -> each.lane().key == lane);
    }

    /** Whether a row of this lane is locked by another transaction, so that a decision about it waits. */
    boolean isHeld(long lane) {
        return held.stream().anyMatch(each -> each.pending().lane().key == lane);
    }

    /** Whether messages of this lane are being parked, and that is not stored yet. */
    boolean parks(long lane) {
        return anyFor(lane, FencedWrite.Park.class);
    }

    /** Whether messages of this lane are being adopted, and that is not stored yet. */
    boolean adopts(long lane) {
        return anyFor(lane, FencedWrite.Adopt.class);
    }

    private boolean anyFor(long lane, Class<? extends FencedWrite> kind) {
        return Stream.concat(
                        held.stream().map(Held::pending),
                        pending.values().stream().flatMap(List::stream))
                .anyMatch(each -> each.isFor(lane, kind));
    }

    /** Writes and reads of this shard wait for a moment. */
    void lockedElsewhere(Lease lease) {
        locked.put(lease, nanoClock.getAsLong() + LOCKED_SHARD_RETRY_DELAY);
    }

    /** @return whether the lane row is gone; false if the shard row is locked */
    boolean refresh(Lease lease, LaneWait lane) {
        try {
            return store.refresh(lease, lane);
        } catch (ShardLockedException e) {
            lockedElsewhere(lease);
            return false;
        }
    }

    /**
     * Lanes that wait for a resume become due.
     *
     * @return false if it has to be tried again: a write of before the resume may put one to sleep, or the shard row is
     *     locked
     */
    boolean wake(Lease lease) {
        if (pending.containsKey(lease) || isLocked(lease) || held.stream().anyMatch(each -> each.pauses(lease))) {
            return false;
        }
        try {
            store.wake(lease);
            return true;
        } catch (ShardLockedException e) {
            lockedElsewhere(lease);
            return false;
        }
    }

    /**
     * A write stays pending until it is dealt with, whatever happens, so that its callback runs exactly once after its
     * commit.
     *
     * @return false if the database could not be reached; what remains is retried by the next call
     * @throws RuntimeException the first one thrown by a callback
     */
    boolean flush() {
        boolean reached = flushHeld();
        pending.values().removeIf(List::isEmpty);
        for (Map<Lease, List<Pending>> next = toFlush(); reached && !next.isEmpty(); next = toFlush()) {
            reached = transact(next);
            pending.values().removeIf(List::isEmpty);
        }
        RuntimeException failed = failure;
        failure = null;
        if (failed != null) {
            throw failed;
        }
        return reached;
    }

    /** Of all shards, because a transaction for each would keep the loop from preparing calls. */
    private Map<Lease, List<Pending>> toFlush() {
        Map<Lease, List<Pending>> batch = new LinkedHashMap<>();
        int room = MAX_IN_ONE_TRANSACTION;
        for (var each : pending.entrySet()) {
            if (room > 0 && !isLocked(each.getKey())) {
                List<Pending> some = List.copyOf(each.getValue()
                        .subList(0, Math.min(room, each.getValue().size())));
                batch.put(each.getKey(), some);
                room -= some.size();
            }
        }
        return batch;
    }

    /**
     * @param batch from the front of each list
     * @return false if the database could not be reached
     */
    private boolean transact(Map<Lease, List<Pending>> batch) {
        Map<Lease, List<FencedWrite>> writes = new LinkedHashMap<>();
        batch.forEach((lease, some) ->
                writes.put(lease, some.stream().map(Pending::write).toList()));
        try {
            store.write(writes);
        } catch (LeaseLostException e) {
            pending.remove(e.lease());
            lost.accept(e.lease());
            return true;
        } catch (ShardLockedException e) {
            lockedElsewhere(e.lease());
            return true;
        } catch (StoreException e) {
            if (!e.isRowLocked() && e.isTransient()) {
                outage.failed(e);
                return false;
            }
            return apart(batch, e);
        }
        outage.worked();
        batch.forEach(
                (lease, some) -> pending.get(lease).subList(0, some.size()).clear());
        batch.values().forEach(some -> some.forEach(this::written));
        return true;
    }

    /** One of them can't be written, so each shard is written by itself, and each write of its shard. */
    private boolean apart(Map<Lease, List<Pending>> batch, StoreException cause) {
        List<Map<Lease, List<Pending>>> parts = parts(batch);
        if (parts.size() == 1) {
            Lease lease = batch.keySet().iterator().next();
            return alone(lease, pending.get(lease).remove(0), cause);
        }
        boolean reached = true;
        for (Map<Lease, List<Pending>> part : parts) {
            Lease lease = part.keySet().iterator().next();
            if (reached && pending.containsKey(lease) && !isLocked(lease)) {
                reached = transact(part);
            }
        }
        return reached;
    }

    private static List<Map<Lease, List<Pending>>> parts(Map<Lease, List<Pending>> batch) {
        List<Map<Lease, List<Pending>>> parts = new ArrayList<>();
        batch.forEach((lease, some) -> {
            if (batch.size() > 1) {
                parts.add(Map.of(lease, some));
            } else {
                some.forEach(each -> parts.add(Map.of(lease, List.of(each))));
            }
        });
        return parts;
    }

    private boolean alone(Lease lease, Pending write, StoreException cause) {
        if (cause.isRowLocked()) {
            held.add(new Held(lease, write, nanoClock.getAsLong() + LockedRow.RETRY_DELAY));
        } else if (cause.isForAllRows() && isAwaited(write)) {
            // read again, its handler would be called repeatedly, and no attempt would count
            held.add(new Held(lease, write, nanoClock.getAsLong() + REFUSED_RETRY_DELAY));
            if (refusedForAll.add(write.lane().key)) {
                OutboxLog.writeKept(lease, write.write(), cause);
            }
        } else {
            refusedForAll.remove(write.lane().key);
            OutboxLog.writeRejected(lease, write.write(), cause);
            refused.accept(write.lane());
        }
        return true;
    }

    /** Its turn, or the handover of its shard, waits for it. Any other write would be made again while it waits. */
    private static boolean isAwaited(Pending pending) {
        return pending.write() instanceof FencedWrite.Resolve
                || pending.write() instanceof FencedWrite.Count
                || pending.write() instanceof FencedWrite.ChangeStarts
                || pending.write() instanceof FencedWrite.TakeBackStart;
    }

    private void written(Pending write) {
        refusedForAll.remove(write.lane().key);
        try {
            write.then().run();
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
    }

    /**
     * Each by itself, so that one whose row is still locked spoils no transaction of others.
     *
     * @return false if the database could not be reached
     */
    private boolean flushHeld() {
        long now = nanoClock.getAsLong();
        locked.values().removeIf(until -> now - until >= 0);
        boolean reached = true;
        for (Optional<Held> next = due(now); next.isPresent(); next = due(now)) {
            Held due = next.get();
            held.remove(due);
            pending.computeIfAbsent(due.lease(), key -> new ArrayList<>()).add(0, due.pending());
            if (reached && !isLocked(due.lease())) {
                reached = transact(Map.of(due.lease(), List.of(due.pending())));
            }
        }
        return reached;
    }

    private Optional<Held> due(long now) {
        return held.stream().filter(each -> now - each.until() >= 0).findFirst();
    }

    private record Held(Lease lease, Pending pending, long until) {
        private boolean pauses(Lease other) {
            return lease.equals(other) && pending.write() instanceof FencedWrite.Pause;
        }
    }

    private record Pending(FencedWrite write, Lane lane, Runnable then) {
        private boolean isFor(long key, Class<? extends FencedWrite> kind) {
            return lane.key == key && kind.isInstance(write);
        }
    }
}
