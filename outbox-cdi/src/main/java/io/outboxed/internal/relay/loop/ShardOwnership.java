package io.outboxed.internal.relay.loop;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.Pauses;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.ShardLeases;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How shards come to this node and leave it. One is handed over when nothing runs in it and nothing is suspect, because
 * its next owner treats it as clean. Until then nothing is started in it, for a second at most.
 */
final class ShardOwnership {
    private final ShardLeases store;
    private final LoopState state;
    private final SuspectStarts starts;
    private final LaneClaims claims;
    private final Pauses pauses;
    private final OutboxMeters meters;
    private final Duration commitLag;
    private final int suspectsInMemory;
    /** What has been dropped because the database said so, until the membership has read that too. */
    private final Set<Lease> dropped = ConcurrentHashMap.newKeySet();

    ShardOwnership(
            ShardLeases store,
            LoopState state,
            SuspectStarts starts,
            LaneClaims claims,
            Pauses pauses,
            OutboxMeters meters,
            OutboxConfig.Relay config) {
        this.store = store;
        this.state = state;
        this.starts = starts;
        this.claims = claims;
        this.pauses = pauses;
        this.meters = meters;
        this.commitLag = config.commitLag();
        this.suspectsInMemory = ShardCursor.ROOM + config.maxInMemory() / 4;
    }

    /** @param ownerDied the messages that the last owner was running are suspects */
    void gained(Lease lease, boolean ownerDied, long now) {
        if (state.shards().holds(lease)) {
            return;
        }
        state.shards().leases().stream()
                .filter(old -> old.shard() == lease.shard())
                .forEach(this::lost);
        CrashSuspects suspects =
                ownerDied || claims.anyDied() ? new CrashSuspects(suspectsInMemory) : CrashSuspects.none();
        state.shards()
                .add(
                        claims.isPerLane()
                                ? new SharedShard(lease, suspects, now)
                                : new ShardCursor(lease, suspects, commitLag, now));
        pauses.wake(lease);
    }

    void lost(Lease lease) {
        if (state.shards().holds(lease)) {
            OutboxLog.shardLost(lease);
            meters.shardLost();
            state.drop(lease);
        }
    }

    void lostAll() {
        state.shards().leases().forEach(this::lost);
        state.dropAll();
        claims.lostAll();
    }

    /** The database has refused a write under this lease: another node has the shard. */
    void fenced(Lease lease) {
        meters.staleWrite();
        lost(lease);
        dropped.add(lease);
    }

    /** Used by other threads too. */
    Set<Lease> dropped() {
        return Set.copyOf(dropped);
    }

    /** Used by other threads. */
    void forgetDropped(Set<Lease> known) {
        dropped.removeAll(known);
    }

    /** With locks: another node has left or died, perhaps without having noticed a resume. */
    void nodeGone() {
        state.shards().leases().forEach(pauses::wake);
    }

    /** With locks: it may have been running messages of any lane. */
    void nodeDied() {
        int deaths = state.lanes().nodeDied();
        state.shards().all().forEach(shard -> {
            shard.suspects.add(suspectsInMemory, deaths);
            shard.noneParked = false;
        });
        nodeGone();
    }

    /** Lets this many shards leave, those in which nothing runs first. */
    void requestHandOver(int count, String newOwner, long now) {
        int left = count - state.shards().leaving().size();
        List<ShardCursor> staying = state.shards().all().stream()
                .filter(ShardCursor::mayLeave)
                .sorted(Comparator.comparing(this::isBusy))
                .toList();
        for (ShardCursor shard : staying) {
            if (left > 0 && shard.requestHandOver(newOwner, now)) {
                left--;
            }
        }
    }

    void requestHandOver(Collection<Integer> numbers, String newOwner, long now) {
        for (int number : numbers) {
            ShardCursor shard = state.shards().get(number);
            if (shard != null && shard.mayLeave()) {
                shard.requestHandOver(newOwner, now);
            }
        }
    }

    /** @param stopping whether all shards leave, with their node */
    void revertStarts(boolean stopping) {
        for (ShardCursor shard : state.shards().all()) {
            if (stopping || shard.isLeaving()) {
                starts.findLocked(shard);
                if (shard.suspects.anyOpen() && (claims.isPerLane() || !isRunning(shard))) {
                    starts.revert(shard);
                }
            }
        }
    }

    /**
     * With locks, once all that follows from ended calls is stored: this node stops, and other nodes get the lanes in which
     * nothing runs, and whose starts are reverted.
     */
    void leaveLanes() {
        if (claims.isPerLane()) {
            state.lanes().dropIdle();
            claims.leave(lane -> state.isInUse(lane) || remainsSuspect(lane));
        }
    }

    private boolean remainsSuspect(long lane) {
        return state.shards().all().stream().anyMatch(shard -> shard.suspects.remainsIn(lane));
    }

    /**
     * Hands over the leaving shards that can be, and continues those that have tried for too long, unless they may have
     * left already.
     */
    void handOver(long now) {
        for (ShardCursor shard : state.shards().leaving()) {
            if (handOver(shard)) {
                dropped.add(shard.lease);
            } else if (!shard.mayHaveLeft && shard.abortLeaving(now)) {
                state.lanes().touchShard(shard.lease.shard());
            }
        }
    }

    /** @return false if the shard can't leave now */
    private boolean handOver(ShardCursor shard) {
        if (!isClean(shard)) {
            return false;
        }
        try {
            if (store.handOver(shard.lease, shard.leavingTo())) {
                OutboxLog.shardHandedOver(shard.lease, shard.leavingTo());
            }
        } catch (ShardLockedException e) {
            return false;
        } catch (StoreException e) {
            // its commit may still be under way, with the row locked: only the row shows how it ends
            shard.mayHaveLeft = true;
            throw e;
        }
        state.drop(shard.lease);
        return true;
    }

    Collection<Lease> idle() {
        return state.shards().all().stream()
                .filter(this::isClean)
                .map(shard -> shard.lease)
                .toList();
    }

    boolean anyStartsToRevert() {
        return state.shards().all().stream().anyMatch(shard -> shard.suspects.anyOpen());
    }

    /** In which something runs, or has a start that is not reverted. */
    int busy() {
        return (int) state.shards().all().stream().filter(this::isBusy).count();
    }

    private boolean isClean(ShardCursor shard) {
        return shard.suspects.isExhausted() && shard.suspects.lockedLanes().isEmpty() && !isBusy(shard);
    }

    private boolean isBusy(ShardCursor shard) {
        return shard.suspects.anyOpen() || isRunning(shard);
    }

    private boolean isRunning(ShardCursor shard) {
        return state.lanes().anyRunning(shard.lease.shard());
    }
}
