package io.outboxed.internal.relay;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What must be true when the database confirms a node's decision. */
final class AnswerChecks {
    private final SimulatedNodes nodes;
    private final History history;
    /** By row: the replay of a dead letter has the id of its message. */
    private final Map<Long, Set<Lease>> counted = new HashMap<>();

    AnswerChecks(SimulatedNodes nodes, History history) {
        this.nodes = nodes;
        this.history = history;
    }

    void declaredDead(String owner) {
        if (nodes.isHealthy(owner)) {
            history.violation("declared dead: node " + owner + ", which is healthy and trusts its lease");
        }
    }

    /** A start that the same node counts again would pass for a second death. */
    void started(MessageHead head, Lease lease) {
        if (!counted.computeIfAbsent(head.seq(), key -> new HashSet<>()).add(lease)) {
            history.violation("counted twice: " + head.id() + " under " + lease);
        }
    }
}
