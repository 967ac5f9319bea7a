package io.outboxed.internal.operations;

import io.outboxed.admin.NodeStatus;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.store.Backlog;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.LaneClaim;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.ShardOwner;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the status by the statements of the relay's own statistics, and the nodes with their heartbeats. */
final class StatusReader {
    /** Only another node declares a node dead, so if all are dead, none of them is declared so. */
    private static final Duration LONGEST_SILENCE = Nodes.LONGEST_LEASE.plusMinutes(5);

    private final Connections connections;
    private final OperationsSql sql;
    private final RelayStore store;

    StatusReader(Connections connections, OperationsSql sql, RelayStore store) {
        this.connections = connections;
        this.sql = sql;
        this.store = store;
    }

    private record Beat(String owner, String label, long registryVersion, long silentMicros) {
        Duration silence() {
            return Duration.of(Math.max(0, silentMicros), ChronoUnit.MICROS);
        }
    }

    OutboxStatus read(List<Pause> pauses) {
        List<ShardOwner> shards = store.shards().all();
        Map<String, Long> owned = shards.stream()
                .filter(shard -> shard.owner() != null)
                .collect(Collectors.groupingBy(ShardOwner::owner, Collectors.counting()));
        List<NodeStatus> nodes = beats().stream()
                .filter(beat -> beat.silence().compareTo(LONGEST_SILENCE) < 0)
                .map(beat -> new NodeStatus(
                        beat.owner(),
                        beat.label(),
                        beat.silence(),
                        owned.getOrDefault(holder(beat.owner()), 0L).intValue(),
                        beat.registryVersion()))
                .toList();
        long relayed = nodes.stream()
                .map(node -> holder(node.owner()))
                .distinct()
                .mapToLong(holder -> owned.getOrDefault(holder, 0L))
                .sum();
        Instant at = Instant.EPOCH.plus(store.statistics().clock(), ChronoUnit.MICROS);
        Backlog backlog = store.statistics().backlog(OutboxStatus.MAX_COUNT);
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
        return Stream.of(Backlog.State.values())
                .filter(state -> backlog.count(state) >= OutboxStatus.MAX_COUNT)
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Nodes that claim aggregates share their shards. */
    private static String holder(String owner) {
        return LaneClaim.ofNode(owner).map(LaneClaim::shardOwner).orElse(owner);
    }

    private List<Beat> beats() {
        return connections.read(jdbc -> jdbc.list(
                sql.nodes,
                row -> new Beat(
                        row.getString("owner"),
                        row.getString("label"),
                        row.getLong("registry_version"),
                        row.getLong("silent"))));
    }
}
