package io.outboxed.internal.relay.loop;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.ShardLeases;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves shards to other nodes. A shard leaves when nothing runs in it and nothing is suspect, because its next owner
 * treats it as clean. Until then nothing is started in it, for a second at most.
 */
final class ShardHandover {
    private final ShardLeases store;
    private final LoopState state;
    private final SuspectStarts starts;

    ShardHandover(ShardLeases store, LoopState state, SuspectStarts starts) {
        this.store = store;
        this.state = state;
        this.starts = starts;
    }

    /** Lets this many shards leave, those in which nothing runs first. */
    void leave(int count, String newOwner, long now) {
        int left = count - state.shards().leaving().size();
        List<ShardCursor> staying = state.shards().all().stream()
                .filter(ShardCursor::mayLeave)
                .sorted(Comparator.comparing(this::isBusy))
                .toList();
        for (ShardCursor shard : staying) {
            if (left > 0 && shard.leave(newOwner, now)) {
                left--;
            }
        }
    }

    void leave(Collection<Integer> numbers, String newOwner, long now) {
        for (int number : numbers) {
            ShardCursor shard = state.shards().get(number);
            if (shard != null && shard.mayLeave()) {
                shard.leave(newOwner, now);
            }
        }
    }

    /** @param stopping whether all shards leave, with their node */
    void revertStarts(boolean stopping) {
        for (ShardCursor shard : state.shards().all()) {
            if (stopping || shard.isLeaving()) {
                starts.findLocked(shard);
                if (shard.suspects.anyOpen() && !isRunning(shard)) {
                    starts.revert(shard);
                }
            }
        }
    }

    /**
     * Hands over the leaving shards that can be, and continues those that have tried for too long, unless they may have
     * left already.
     *
     * @param ended receives the leases that have ended
     */
    void handOver(long now, Consumer<Lease> ended) {
        for (ShardCursor shard : state.shards().leaving()) {
            if (handOver(shard)) {
                ended.accept(shard.lease);
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
