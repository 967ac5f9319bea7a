package io.outboxed.internal.operations;

import io.outboxed.admin.NodeStatus;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.store.Backlog;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.jdbc.OperatorReads;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the status by the statements of the relay's own statistics, and the nodes with their heartbeats. */
final class StatusReader {
    private final Connections connections;
    private final OperationsSql sql;
    private final OperatorReads reads;

    StatusReader(Connections connections, OperationsSql sql, OperatorReads reads) {
        this.connections = connections;
        this.sql = sql;
        this.reads = reads;
    }

    OutboxStatus read(List<Pause> pauses) {
        List<Lease> shards = reads.shards().all();
        Map<String, Long> owned = shards.stream()
                .filter(shard -> shard.owner() != null)
                .collect(Collectors.groupingBy(Lease::owner, Collectors.counting()));
        List<LiveNode> live = connections.autoCommit(jdbc -> LiveNode.all(jdbc, sql));
        List<NodeStatus> nodes = live.stream()
                .map(node -> new NodeStatus(
                        node.owner(),
                        node.label(),
                        node.silence(),
                        owned.getOrDefault(node.holder(), 0L).intValue(),
                        node.registryVersion()))
                .toList();
        long relayed = live.stream()
                .map(LiveNode::holder)
                .distinct()
                .mapToLong(holder -> owned.getOrDefault(holder, 0L))
                .sum();
        Instant at = EpochMicros.toInstant(reads.statistics().clock());
        Backlog backlog = reads.statistics().backlog(OutboxStatus.MAX_COUNT);
        return new OutboxStatus(
                at,
                backlog.ready(),
                backlog.parked(),
                backlog.waiting(),
                backlog.blocked(),
                backlog.dead(),
                atLeast(backlog),
                backlog.blockedAggregates(),
                backlog.oldestAge(),
                nodes,
                shards.size(),
                (int) (shards.size() - relayed),
                pauses);
    }

    private static List<String> atLeast(Backlog backlog) {
        Stream<String> states = Stream.of(Backlog.State.values())
                .filter(state -> backlog.count(state) >= OutboxStatus.MAX_COUNT)
                .map(state -> state.name().toLowerCase(Locale.ROOT));
        // each blocked aggregate has a blocked delivery
        Stream<String> aggregates =
                backlog.blocked() >= OutboxStatus.MAX_COUNT ? Stream.of("blockedAggregates") : Stream.empty();
        return Stream.concat(states, aggregates).toList();
    }
}
