package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Changes that only the owner of a shard may make: each method locks the shard row and compares owner and epoch. {@link
 * LeaseLostException}: nothing was changed. {@link ShardLockedException}, at once: another transaction has locked the
 * shard row.
 */
public interface FencedWriter {

    /** The most rows of a lane whose versions are raised: a node has no more in its memory. */
    int BUMPED = 127;

    /**
     * Writes decisions of one or several shards in one transaction. An exception about one of them says which, and no
     * decision is stored, those of the others included. Park and UpdateStarts skip rows that another transaction has
     * locked; Resolve, CountAttempt, RevertStart and Adopt fail at once, with a {@link StoreException#isRowLocked
     * locked row}. If the database refuses several together for good, none is stored; a single one is then stored
     * without its error text and history.
     */
    void write(Map<Lease, List<FencedWrite>> writes);

    /**
     * Rewrites the lane row from its delivery rows: due with the first of those of the lowest seq, never due while only
     * blocked ones are left there, deleted with the last. The row of a {@link LaneWait#PARKED} lane is deleted with the
     * last PARKED row.
     *
     * @return whether it is gone
     */
    boolean refresh(Lease lease, LaneWait lane);

    /** The shard's lane rows that wait because of {@link FencedWrite.PauseLane} become due. */
    void wake(Lease lease);

    /**
     * Counts a start (column starts) of suspects before they run. In lanes in which they are the first ones, it also
     * raises the version of the {@link #BUMPED} READY and PARKED rows that follow, so that a late success of the last
     * owner completes none of them. Skips suspects that have changed since, and lanes in which another transaction has
     * locked any of these rows.
     *
     * @param running ids of the suspects that run now; the others are not counted and keep their versions
     * @param firstOfLanes keys of the lanes whose following rows are to be raised
     * @return the ids of the suspects that were not skipped; the versions of those that run are one higher now
     */
    List<UUID> start(Lease lease, List<MessageHead> suspects, Set<UUID> running, Set<Long> firstOfLanes);
}
