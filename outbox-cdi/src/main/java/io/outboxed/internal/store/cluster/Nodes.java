package io.outboxed.internal.store.cluster;

import java.time.Duration;
import java.util.List;

/** The nodes of the cluster. One method, one transaction. */
public interface Nodes {
    /** The longest lease that can be configured. */
    Duration LONGEST_LEASE = Duration.ofMinutes(10);

    /**
     * Registers a start of a node under a new random owner id.
     *
     * @param registryVersion see {@link NodeHeartbeat}
     */
    void join(String owner, String label, long registryVersion);

    /**
     * Raises the node's heartbeat counter.
     *
     * @return false if another node has declared it dead or it has left
     */
    boolean beat(String owner);

    /** All nodes that are not dead and have not left. */
    List<NodeHeartbeat> live();

    /**
     * Declares a node dead if its heartbeat is still the observed one.
     *
     * @return whether this call declared it dead
     */
    boolean declareDead(NodeHeartbeat observed);

    /** Marks the node as having left; its remaining shards can be taken immediately. */
    void leave(String owner);
}
