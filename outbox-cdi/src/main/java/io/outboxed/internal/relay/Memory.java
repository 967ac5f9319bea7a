package io.outboxed.internal.relay;

import io.outboxed.internal.store.Lease;
import java.util.Collection;

/** What the loop knows, owned by the loop: its shards, their lanes, and the decisions on their way to the database. */
record Memory(Shards shards, Lanes lanes, Decisions decisions) {

    /** Everything of this shard is forgotten; calls that run end as orphans. */
    void drop(Lease lease) {
        if (shards.remove(lease)) {
            decisions.drop(lease);
            lanes.dropShard(lease.shard());
        }
    }

    /** These groups have lane rows now. The lane may have been forgotten and opened anew while that was decided. */
    void blocked(Lane lane, Collection<String> groups) {
        shards.mayWait(lane.shard);
        Lane present = lanes.get(lane.key);
        if (present != null) {
            present.blocked.addAll(groups);
        }
    }

    /** The lane's rows are read again from the start. */
    void readAgain(Lane lane) {
        lanes.drop(lane);
        HeldShard shard = shards.get(lane.shard);
        if (shard != null) {
            shard.readAgain();
        }
    }

    /** The lane's rows are read again from the start, and nothing of it starts before that time. */
    void readAgainLater(Lane lane, long until) {
        lanes.rest(lane, until);
        readAgain(lane);
    }

    /** After an error: what nobody will report on is forgotten and read again; calls and decisions go on. */
    void readAllAgain() {
        lanes.dropIdle();
        shards.all().forEach(HeldShard::readAgain);
    }
}
