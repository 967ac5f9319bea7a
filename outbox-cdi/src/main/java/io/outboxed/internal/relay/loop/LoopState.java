package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.writes.FencedWriteBuffer;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What the loop knows: its shards, their lanes, and the writes that are pending. */
record LoopState(Shards shards, Lanes lanes, FencedWriteBuffer writes) {

    /** Forgets everything about this shard; its running calls end as orphans. */
    void drop(Lease lease) {
        if (shards.remove(lease)) {
            writes.drop(lease);
            lanes.dropShard(lease.shard());
        }
    }

    /** Forgets everything, and what an error may have left of shards that were dropped; running calls end as orphans. */
    void dropAll() {
        lanes.dropAll();
        writes.dropAll();
    }

    /** Nothing of this shard is read or started: it leaves, or its decisions can't be stored now. */
    boolean isSuspended(ShardCursor shard) {
        return shard.isLeaving() || writes.isLocked(shard.lease);
    }

    /** False for a shard that this node does not hold. */
    boolean isSuspended(int number) {
        ShardCursor shard = shards.get(number);
        return shard != null && isSuspended(shard);
    }

    /** Whether windows of this shard may bring anything in. */
    boolean mayRead(ShardCursor shard) {
        return !isSuspended(shard) && lanes.windowRoom(shard.lease.shard()) > 0;
    }

    /** Whether anything of this lane is in memory, runs or is to be written, or another node would misread its rows. */
    boolean isInUse(long lane) {
        return lanes.isInUse(lane)
                || writes.hasPendingFor(lane)
                || shards.all().stream().anyMatch(shard -> shard.suspects.hasOpenIn(lane));
    }

    /** Whether a call in this lane runs or is queued, or what follows from one is not stored. */
    boolean isUnderWay(long key) {
        Lane lane = lanes.get(key);
        return lane != null && !lane.turns.isEmpty() || !lanes.mayBringIn(key) || writes.hasPendingFor(key);
    }

    /** It may have been forgotten while its messages are being parked, so that no row tells yet. */
    Lane open(long key, int shard) {
        boolean known = lanes.get(key) != null;
        Lane lane = lanes.open(key, shard);
        if (!known && writes.parks(key)) {
            lane.parked = true;
        }
        return lane;
    }

    /** These groups have lane rows now. The lane may have been forgotten and opened anew before that was written. */
    void addWaitingGroups(Lane lane, Collection<String> groups) {
        shards.mayWait(lane.shard);
        Lane present = lanes.get(lane.key);
        if (present != null) {
            present.waitingGroups.addAll(groups);
        }
    }

    /** Messages of these groups that waited for a handler come before what is in memory of them. */
    void adopted(Lane lane, Collection<String> groups) {
        addWaitingGroups(lane, groups);
        Optional.ofNullable(lanes.get(lane.key)).ifPresent(lanes::shedWaiting);
    }

    /** Leaves these rows to the reads by lane. */
    void park(Lane lane, List<MessageHead> rows) {
        writes.add(shards.get(lane.shard).lease, new FencedWrite.Park(lane.key, rows), () -> {
            shards.mayWait(lane.shard);
            lanes.touch(lane);
        });
    }

    /** The lane's rows are read again from the start. */
    void readAgain(Lane lane) {
        readAgain(lane.key, lane.shard);
    }

    private void readAgain(long lane, int number) {
        lanes.drop(lane);
        ShardCursor shard = shards.get(number);
        if (shard != null) {
            shard.readAgain();
        }
    }

    /** The lane's rows are read again from the start, and none of its calls starts before that time. */
    void readAgainLater(long lane, int shard, long until) {
        lanes.rest(lane, until);
        readAgain(lane, shard);
    }

    /**
     * After an error: forgets whatever no report will end, and reads it again. Running calls and pending writes
     * continue.
     */
    void readAllAgain() {
        lanes.dropIdle();
        shards.all().forEach(ShardCursor::readAgain);
    }
}
