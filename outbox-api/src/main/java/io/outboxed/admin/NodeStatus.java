package io.outboxed.admin;

import java.time.Duration;

/**
 * A live node.
 *
 * @param owner random id of this run of the node
 * @param label {@code outbox.node-label}, or the host name
 * @param silence time since its last heartbeat, on the database's clock, zero or more
 * @param shards how many shards it relays, or shares with other nodes
 * @param registryVersion the version of the handler registry that added the newest of the node's handlers. If it is
 *     lower than that of other nodes, the node runs an older version of the application
 */
public record NodeStatus(String owner, String label, Duration silence, int shards, long registryVersion) {}
