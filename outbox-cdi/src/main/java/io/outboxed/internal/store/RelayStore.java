package io.outboxed.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * Everything that a relay asks of the database: one method, one transaction. Thread-safe. Methods throw {@link
 * StoreException}; those that take a {@link Lease} also {@link LeaseLostException}, and then nothing was changed.
 */
public interface RelayStore {
    /** As many messages of a lane follow one another in a node's memory, at most. */
    int BUMPED = 127;

    // ---- nodes and shards ----

    /** Announces a start of a node under a new random owner. */
    void join(String owner, String label, long generation);

    /** Counts the node's beat up. @return false if another node has declared it dead or it has left */
    boolean beat(String owner);

    /** All nodes that are not dead and have not left. */
    List<NodeBeat> nodes();

    /** Declares a node dead if its beat is still the observed one. @return whether it is dead now by this call */
    boolean declareDead(NodeBeat observed);

    /** All shards. */
    List<ShardOwner> shards();

    /** Takes a shard as observed, at the next epoch; a row that is locked elsewhere is skipped. @return the new epoch */
    OptionalLong take(ShardOwner observed, String newOwner);

    /** Gives a shard directly to another live node, at the next epoch. @return false if it was not held */
    boolean handOver(Lease lease, String newOwner);

    /** Frees these shards (owner null, next epoch) in one transaction; those not held are left alone. */
    void release(Collection<Lease> leases);

    /** Marks the node as having left; its remaining shards can be taken at once. */
    void leave(String owner);

    // ---- handlers ----

    /**
     * Registers the handlers that are new, brings back retired ones and moves those whose group has changed.
     *
     * @return the registry's version afterwards
     */
    long register(Collection<HandlerRegistration> handlers);

    Registry registry();

    // ---- reading: one statement, autocommit, READ COMMITTED ----

    /** READY rows of the windows, ordered by seq. One statement, so one snapshot. */
    List<Head> ready(Collection<Window> windows);

    /**
     * READY and PARKED rows of lanes, ordered by seq. One statement, so one snapshot.
     *
     * @param limit of each lane
     */
    List<Head> lanes(Collection<Long> lanes, int limit);

    /** READY and PARKED rows of one lane, ordered by seq. */
    default List<Head> lane(long lane, int limit) {
        return lanes(List.of(lane), limit);
    }

    /**
     * Pending delivery rows of one lane and group that may be called now, ordered by seq and handler. None while the lane
     * row is not due. A row of a later message comes only if all rows of the group before it are in the page: where one is
     * not due or blocked, the page ends with its message.
     */
    List<Waiting> waiting(long lane, String group, int limit);

    /** Messages of a lane above a number that wait for a first handler of their type, ordered by seq, due or not. */
    List<Head> unadopted(long lane, long above, int limit);

    /** Lane rows of these shards that are due now, the longest due first. */
    List<WaitingLane> due(Collection<Integer> shards, int limit);

    /** What waits in these lanes: lane to the groups of its lane rows. */
    Map<Long, Set<String>> waits(Collection<Long> lanes);

    /** The shards among these that have any lane row. */
    Set<Integer> waitingShards(Collection<Integer> shards);

    /** Handlers with a done row, by message; for rows whose version is not 0. */
    Map<UUID, Set<String>> done(Collection<UUID> messages);

    /** Bodies of these rows, as far as they exist. */
    List<Body> bodies(Collection<Long> seqs);

    /** The highest seq that is visible, 0 if there is none. */
    long highest();

    // ---- looking on: may take its time, on a connection that nothing else waits for ----

    /** What is stored and not done, of all shards. Several statements; rows that change meanwhile may be counted twice. */
    Backlog backlog();

    /** The database's clock, in microseconds since 1970 UTC. */
    long clock();

    // ---- facts: idempotent, never fenced ----

    /**
     * Records successes of handlers that ran outside a transaction. One batch; a refused batch is halved. A READY or
     * PARKED row that has changed since is left alone: its shard has a new owner, who repeats it with all that follows.
     * Rows in another transaction's hands are left as they are, and so are later rows of their lanes; all others are
     * settled, and then a {@link StoreException#isHeld held} failure is thrown: repeat.
     */
    void settle(List<Settled> batch);

    // ---- decisions: fenced by the lease ----

    /**
     * Carries out decisions of one shard in one transaction. Park and Count leave out rows that are in another
     * transaction's hands, Judge and Adopt refuse them at once as {@link StoreException#isHeld held}.
     */
    void decide(Lease lease, List<Decision> decisions);

    /**
     * Makes the lane row what its delivery rows say: due with the first of those of the lowest seq, never due while only
     * blocked ones are left there, gone with the last. The row of a {@link WaitingLane#WHOLE} lane goes with the last
     * PARKED row.
     *
     * @return whether it is gone
     */
    boolean refresh(Lease lease, WaitingLane lane);

    /**
     * Counts a start (column starts) of suspects before they run. In the lanes in which they are the first ones, it also
     * raises the version of the {@link #BUMPED} READY and PARKED rows that follow: what their last owner still has to report
     * settles none of them. Left out are suspects that have changed since, and lanes in which any of these rows is locked
     * elsewhere.
     *
     * @param firstOfLanes keys of the lanes whose following rows are to be raised
     * @return the counted, whose version is one higher now
     */
    List<UUID> start(Lease lease, List<Head> suspects, Set<Long> firstOfLanes);
}
