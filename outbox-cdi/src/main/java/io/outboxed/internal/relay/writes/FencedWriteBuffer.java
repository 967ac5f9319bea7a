package io.outboxed.internal.relay.writes;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** Collects decisions and writes them together, fenced by the leases of their shards. */
public final class FencedWriteBuffer {
    private static final int MAX_IN_ONE_TRANSACTION = 200;
    /** So many whose rows are still locked are tried at once; the others wait, and the loop does other work. */
    private static final int MAX_HELD_AGAIN = 10;

    private static final long LOCKED_SHARD_RETRY_DELAY = Duration.ofMillis(50).toNanos();
    /** A write that took so long waited for a lock: not that of a shard or message, which is skipped at once. */
    private static final long WAITED = Duration.ofSeconds(4).toNanos();

    private final FencedWriter store;
    private final RejectionListener listener;
    private final LongSupplier nanoClock;
    private final HeldWrites held = new HeldWrites();
    private final OutageLog outage = new OutageLog(OutboxLog::writesPostponed, OutboxLog::writesRecovered);
    private final Map<Lease, List<PendingWrite>> pending = new LinkedHashMap<>();
    /** Leases whose shard row is locked by another transaction, and when the next attempt is made. */
    private final Map<Lease, Long> locked = new HashMap<>();

    /** The first failure of a callback after a commit during this flush. */
    private RuntimeException failure;

    /** Told of what the database does not take. */
    public interface RejectionListener {
        /** Another node has taken the lease. */
        void lost(Lease lease);

        /** The database rejects a write of this lane permanently. */
        void rejected(Lease lease, long lane);
    }

    public FencedWriteBuffer(FencedWriter store, RejectionListener listener, LongSupplier nanoClock) {
        this.store = store;
        this.listener = listener;
        this.nanoClock = nanoClock;
    }

    /** @param then runs after the commit */
    public void add(Lease lease, FencedWrite write, Runnable then) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).add(new PendingWrite(write, then));
    }

    public void drop(Lease lease) {
        pending.remove(lease);
        locked.remove(lease);
        held.drop(lease);
    }

    public void dropAll() {
        pending.clear();
        locked.clear();
        held.dropAll();
    }

    public boolean isEmpty() {
        return pending.isEmpty() && held.isEmpty();
    }

    public boolean anyToFlushNow() {
        return pending.keySet().stream().anyMatch(lease -> !isLocked(lease));
    }

    /** Whether the shard row is locked by another transaction, so that the shard's decisions wait. */
    public boolean isLocked(Lease lease) {
        return locked.containsKey(lease);
    }

    public long untilRetry(long now) {
        return LongStream.concat(held.retryTimes(), locked.values().stream().mapToLong(until -> until))
                .map(until -> Math.max(0, until - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether a decision about this lane is not written yet. */
    public boolean hasPendingFor(long lane) {
        return any(each -> each.isFor(lane));
    }

    /** Whether a row of this lane is locked by another transaction, so that a decision about it waits. */
    public boolean isHeld(long lane) {
        return held.any(each -> each.isFor(lane));
    }

    /** Whether messages of this lane are being parked, and that is not stored yet. */
    public boolean parks(long lane) {
        return any(each -> each.isFor(lane, FencedWrite.Park.class));
    }

    /** Whether messages of this lane are being adopted, and that is not stored yet. */
    public boolean adopts(long lane) {
        return any(each -> each.isFor(lane, FencedWrite.Adopt.class));
    }

    /** Asked for each message, so without streams: they took almost half of the memory that the loop allocated. */
    private boolean any(Predicate<PendingWrite> which) {
        for (List<PendingWrite> ofShard : pending.values()) {
            for (PendingWrite each : ofShard) {
                if (which.test(each)) {
                    return true;
                }
            }
        }
        return held.any(which);
    }

    /** Writes and reads of this shard wait for a moment. */
    public void lockedElsewhere(Lease lease) {
        locked.put(lease, nanoClock.getAsLong() + LOCKED_SHARD_RETRY_DELAY);
    }

    /** @return whether the lane row is gone; false if the shard row is locked */
    public boolean refresh(Lease lease, LaneWait lane) {
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
    public boolean wake(Lease lease) {
        if (pending.containsKey(lease) || isLocked(lease) || held.anyPause(lease)) {
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
    public boolean flush() {
        boolean reached = flushHeld();
        pending.values().removeIf(List::isEmpty);
        for (Map<Lease, List<PendingWrite>> next = toFlush(); reached && !next.isEmpty(); next = toFlush()) {
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

    /** Each by itself, so that one whose row is still locked spoils no transaction of others. */
    private boolean flushHeld() {
        long now = nanoClock.getAsLong();
        locked.values().removeIf(until -> now - until >= 0);
        boolean reached = true;
        int again = 0;
        long inVain = 0;
        for (Optional<HeldWrites.Held> next = held.takeDue(now);
                next.isPresent() && again < MAX_HELD_AGAIN;
                next = again < MAX_HELD_AGAIN ? held.takeDue(now) : Optional.empty()) {
            Lease lease = next.get().lease();
            PendingWrite write = next.get().write();
            pending.computeIfAbsent(lease, key -> new ArrayList<>()).add(0, write);
            if (reached && !isLocked(lease)) {
                int before = held.count();
                long begun = nanoClock.getAsLong();
                reached = transact(Map.of(lease, List.of(write)));
                if (held.count() > before) {
                    again++;
                    inVain += nanoClock.getAsLong() - begun;
                }
            }
        }
        if (again == MAX_HELD_AGAIN) {
            held.rest(nanoClock.getAsLong(), inVain);
        }
        return reached;
    }

    /** Of all shards, because a transaction for each would keep the loop from preparing calls. */
    private Map<Lease, List<PendingWrite>> toFlush() {
        Map<Lease, List<PendingWrite>> batch = new LinkedHashMap<>();
        int room = MAX_IN_ONE_TRANSACTION;
        for (var each : pending.entrySet()) {
            if (room > 0 && !isLocked(each.getKey())) {
                List<PendingWrite> some = List.copyOf(each.getValue()
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
    private boolean transact(Map<Lease, List<PendingWrite>> batch) {
        Map<Lease, List<FencedWrite>> writes = new LinkedHashMap<>();
        batch.forEach((lease, some) ->
                writes.put(lease, some.stream().map(PendingWrite::write).toList()));
        long begunAt = nanoClock.getAsLong();
        try {
            store.write(writes);
        } catch (LeaseLostException e) {
            pending.remove(e.lease());
            listener.lost(e.lease());
            return true;
        } catch (ShardLockedException e) {
            lockedElsewhere(e.lease());
            return true;
        } catch (StoreException e) {
            if (!e.isRowLocked() && e.isTransient()) {
                mayBeStored(batch);
                outage.failed(e);
                return false;
            }
            long took = nanoClock.getAsLong() - begunAt;
            return e.isRowLocked() && took >= WAITED ? waited(batch, took) : apart(batch, e);
        } catch (RuntimeException e) {
            mayBeStored(batch);
            throw e;
        }
        outage.worked();
        batch.forEach((lease, some) -> first(lease, some.size()).clear());
        batch.values().forEach(some -> some.forEach(this::written));
        return true;
    }

    private List<PendingWrite> first(Lease lease, int count) {
        return pending.get(lease).subList(0, count);
    }

    /** The connection may have been lost in the commit. */
    private void mayBeStored(Map<Lease, List<PendingWrite>> batch) {
        batch.forEach((lease, some) -> first(lease, some.size()).replaceAll(PendingWrite::repeated));
    }

    /**
     * The database has waited for a lock, and the loop for the database. Each write is tried by itself from now on, after
     * the loop has done other work.
     */
    private boolean waited(Map<Lease, List<PendingWrite>> batch, long took) {
        boolean alone = parts(batch).size() == 1;
        batch.forEach((lease, some) -> {
            first(lease, some.size()).clear();
            some.forEach(each -> held.holdWaitedFor(lease, each, nanoClock.getAsLong(), alone ? took : 0));
        });
        return true;
    }

    /** One of them can't be written, so each shard is written by itself, and each write of its shard. */
    private boolean apart(Map<Lease, List<PendingWrite>> batch, StoreException cause) {
        List<Map<Lease, List<PendingWrite>>> parts = parts(batch);
        if (parts.size() == 1) {
            Lease lease = batch.keySet().iterator().next();
            PendingWrite write = pending.get(lease).remove(0);
            if (!held.hold(lease, write, cause, nanoClock.getAsLong())) {
                listener.rejected(lease, write.write().inLane());
            }
            return true;
        }
        boolean reached = true;
        for (Map<Lease, List<PendingWrite>> part : parts) {
            Lease lease = part.keySet().iterator().next();
            if (reached && pending.containsKey(lease) && !isLocked(lease)) {
                reached = transact(part);
            }
        }
        return reached;
    }

    private static List<Map<Lease, List<PendingWrite>>> parts(Map<Lease, List<PendingWrite>> batch) {
        List<Map<Lease, List<PendingWrite>>> parts = new ArrayList<>();
        batch.forEach((lease, some) -> {
            if (batch.size() > 1) {
                parts.add(Map.of(lease, some));
            } else {
                some.forEach(each -> parts.add(Map.of(lease, List.of(each))));
            }
        });
        return parts;
    }

    private void written(PendingWrite write) {
        held.written(write);
        try {
            write.then().run();
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
    }
}
