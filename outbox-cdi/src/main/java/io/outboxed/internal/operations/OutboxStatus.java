package io.outboxed.internal.operations;

import io.outboxed.internal.store.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What is stored, and who relays it.
 *
 * @param at on the database's clock
 * @param nodes the live ones, by label
 * @param shards how many there are
 * @param unowned how many of them belong to no live node
 */
public record OutboxStatus(Instant at, Backlog backlog, List<Node> nodes, int shards, int unowned) {

    /**
     * A live node.
     *
     * @param silence time since its last heartbeat
     * @param shards how many it relays
     */
    public record Node(String owner, String label, Duration silence, int shards) {}
}
