package io.outboxed.internal.relay.node;

import io.outboxed.internal.store.cluster.NodeHeartbeat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Tells from heartbeat counters which nodes have stopped, on this node's monotonic clock; timestamps of other nodes play
 * no part. A heartbeat is as old as the answer that first reported it. It is unchanged only up to the time when the
 * latest query was sent.
 */
final class FailureDetector {
    private final long lease;
    private final Map<String, Heard> heard = new HashMap<>();
    private boolean watching;
    private long answeredAt;

    FailureDetector(Duration lease) {
        this.lease = lease.toNanos();
    }

    /**
     * @param askedAt when the query for these nodes was sent, in nanoseconds
     * @param answeredAt when its answer was there
     */
    void observe(List<NodeHeartbeat> nodes, long askedAt, long answeredAt) {
        // while the database is down, other nodes cannot send heartbeats either: a time without answers counts little
        long watched = watching ? Math.min(askedAt - this.answeredAt, lease / 3) : 0;
        heard.keySet().retainAll(nodes.stream().map(NodeHeartbeat::owner).collect(Collectors.toSet()));
        nodes.forEach(node -> heard.compute(node.owner(), (owner, last) -> next(last, node, watched)));
        watching = true;
        this.answeredAt = answeredAt;
    }

    private static Heard next(Heard last, NodeHeartbeat node, long watched) {
        if (last == null) {
            return new Heard(node.beat(), 0, false);
        }
        return last.beat() == node.beat()
                ? new Heard(last.beat(), last.silence() + watched, last.hasBeaten())
                : new Heard(node.beat(), 0, true);
    }

    /** Its heartbeat has not changed for a lease. */
    boolean isDead(NodeHeartbeat node) {
        return heard.get(node.owner()).silence() > lease;
    }

    /** This node has seen its heartbeat change, and not long ago. */
    boolean isBeating(NodeHeartbeat node) {
        Heard last = heard.get(node.owner());
        return last.hasBeaten() && last.silence() <= lease / 3;
    }

    void forget() {
        heard.clear();
        watching = false;
    }

    private record Heard(long beat, long silence, boolean hasBeaten) {}
}
