package io.outboxed.internal.store.cluster;

import java.util.List;

/** The nodes of the cluster. One method, one transaction. */
public interface Nodes {

    /** Announces a start of a node under a new random owner. */
    void join(String owner, String label, long registryVersion);

    /** Counts the node's beat up. @return false if another node has declared it dead or it has left */
    boolean beat(String owner);

    /** All nodes that are not dead and have not left. */
    List<NodeBeat> live();

    /** Declares a node dead if its beat is still the observed one. @return whether it is dead now by this call */
    boolean declareDead(NodeBeat observed);

    /** Marks the node as having left; its remaining shards can be taken at once. */
    void leave(String owner);
}
