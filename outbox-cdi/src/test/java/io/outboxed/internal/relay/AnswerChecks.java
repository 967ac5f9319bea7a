package io.outboxed.internal.relay;

import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What must be true when the database confirms a node's decision. */
final class AnswerChecks {
    private final SimulatedNodes nodes;
    private final History history;
    /** By row: the replay of a dead letter has the id of its message. */
    private final Map<Long, Set<Lease>> counted = new HashMap<>();

    private final Map<SimulatedNode, String> sessions = new HashMap<>();
    private final Set<String> dead = new HashSet<>();

    AnswerChecks(SimulatedNodes nodes, History history) {
        this.nodes = nodes;
        this.history = history;
    }

    void declaredDead(String owner) {
        dead.add(owner);
        if (nodes.isHealthy(owner)) {
            history.violation("declared dead: node " + owner + ", which is healthy and trusts its lease");
        }
    }

    /** Each start that was counted before passes for a death: of a node that lives, or of the same one. */
    void started(MessageHead head, Lease lease) {
        Set<Lease> before = counted.computeIfAbsent(head.seq(), key -> new HashSet<>());
        long deaths =
                before.stream().filter(each -> dead.contains(each.owner())).count();
        if (head.starts() > deaths) {
            history.violation("no death: " + head.id() + " counts as running in " + head.starts()
                    + " nodes that died, but was in " + deaths + ": " + before);
        }
        if (!before.add(lease)) {
            history.violation("counted twice: " + head.id() + " under " + lease);
        }
    }

    /** From now on another node may call, so nothing may run there any more. */
    void gaveUp(SimulatedNode node, Collection<Lease> leases) {
        running(node, call -> leases.contains(call.lease()), leases);
    }

    void opened(SimulatedNode node, String owner) {
        sessions.put(node, owner);
    }

    /** Whatever was locked in its session is lost. */
    void abandoned(SimulatedNode node) {
        sessions.remove(node);
    }

    /** The same for lanes that are locked each for itself, in the present session: without one, nothing is given up. */
    void unlocked(SimulatedNode node, Collection<Long> lanes) {
        running(
                node,
                call -> !node.connection().hasLostSession()
                        && lanes.contains(call.delivery().head().lane())
                        && call.lease().owner().equals(sessions.get(node)),
                lanes);
    }

    private void running(SimulatedNode node, Predicate<Call> isThere, Collection<?> given) {
        node.workers().running().stream()
                .filter(isThere)
                .forEach(call ->
                        history.violation("given up while " + call.delivery() + " was running there: " + given));
    }

    /** A success of one of its handlers ends the count: the next one is counted anew if its call is taken back. */
    void answered(MessageHead head) {
        counted.remove(head.seq());
    }

    void reverted(MessageHead head, Lease lease) {
        counted.getOrDefault(head.seq(), new HashSet<>()).remove(lease);
    }
}
