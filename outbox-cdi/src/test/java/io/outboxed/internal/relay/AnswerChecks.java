package io.outboxed.internal.relay;

import io.outboxed.internal.store.cluster.Lease;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What must be true when the database confirms a node's decision. */
final class AnswerChecks {
    private final SimulatedNodes nodes;
    private final History history;
    private final Map<Object, Set<Lease>> counted = new HashMap<>();

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
    void started(Collection<?> messages, Lease lease) {
        for (Object id : messages) {
            if (!counted.computeIfAbsent(id, key -> new HashSet<>()).add(lease)) {
                history.violation("counted twice: " + id + " under " + lease);
            }
        }
    }
}
