package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What only the owner of a shard may change: each method locks the shard row with owner and epoch.
 * {@link LeaseLostException}: nothing was changed. */
public interface FencedWriter {

    /** As many messages of a lane follow one another in a node's memory, at most. */
    int BUMPED = 127;

    /**
     * Carries out decisions of one shard in one transaction. Park and Count leave out rows that are in another
     * transaction's hands, Judge and Adopt refuse them at once as {@link StoreException#isHeld held}.
     */
    void write(Lease lease, List<FencedWrite> writes);

    /**
     * Makes the lane row what its delivery rows say: due with the first of those of the lowest seq, never due while only
     * blocked ones are left there, gone with the last. The row of a {@link LaneWait#WHOLE} lane goes with the last
     * PARKED row.
     *
     * @return whether it is gone
     */
    boolean refresh(Lease lease, LaneWait lane);

    /**
     * Counts a start (column starts) of suspects before they run. In the lanes in which they are the first ones, it also
     * raises the version of the {@link #BUMPED} READY and PARKED rows that follow: what their last owner still has to report
     * settles none of them. Left out are suspects that have changed since, and lanes in which any of these rows is locked
     * elsewhere.
     *
     * @param firstOfLanes keys of the lanes whose following rows are to be raised
     * @return the counted, whose version is one higher now
     */
    List<UUID> start(Lease lease, List<MessageHead> suspects, Set<Long> firstOfLanes);
}
