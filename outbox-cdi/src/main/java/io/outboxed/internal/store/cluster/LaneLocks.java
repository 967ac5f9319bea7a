package io.outboxed.internal.store.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The rights of a node to single lanes: locks that a session of the node holds, or rows of a table. While a node claims
 * lanes in this way, it shares the shards with others of its kind, and its decisions prove its right. A session that is
 * lost has lost all of its locks, and frees them in no particular order. A call that fails ends the session, unless it
 * says otherwise.
 */
public interface LaneLocks {

    ClaimStrategy kind();

    /** Ends the last session, if there is one, and begins one for this node, which holds the lock of the node itself. */
    void open(String owner);

    /** Whether the node still has its session. Uses the session, so that the server does not end it as an idle one. */
    boolean isOpen(String owner);

    /** Ends the session: nothing in it can be committed any more. */
    void abandon();

    /**
     * Locks those of these lanes that are free, without waiting.
     *
     * @return those that are locked by this session now; none without a session
     * @throws LockTableFullException and the session continues, as in {@link #present} and {@link #leads}
     */
    Set<Long> tryLock(Collection<Long> lanes);

    void unlock(Collection<Long> lanes);

    /**
     * All other nodes that may have locks, or are dead.
     *
     * @throws io.outboxed.internal.database.StoreException without a session
     */
    List<Peer> peers();

    /**
     * Those of these nodes that hold their own locks, so that their sessions are not lost.
     *
     * @throws io.outboxed.internal.database.StoreException without a session
     */
    Set<String> present(Collection<String> owners);

    /**
     * Whether this is the one node that does what is done once for all nodes. Asked again and again: with rows, a node
     * that joins may take that over.
     */
    boolean leads();

    /** @param isDead it was declared dead; otherwise it counts as alive */
    record Peer(String owner, boolean isDead) {}
}
