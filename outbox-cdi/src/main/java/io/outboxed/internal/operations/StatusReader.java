package io.outboxed.internal.operations;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ShardOwner;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the status by the statements of the relay's own statistics, and the nodes with their heartbeats. */
final class StatusReader {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final OperationsSql sql;
    private final RelayStore store;

    StatusReader(ConnectionSource source, Dialect dialect, String prefix, RelayStore store) {
        this.source = source;
        this.dialect = dialect;
        this.sql = new OperationsSql(dialect, prefix);
        this.store = store;
    }

    private record Beat(String owner, String label, long silentMicros) {}

    OutboxStatus read() {
        List<ShardOwner> shards = store.shards().all();
        Map<String, Long> owned = shards.stream()
                .filter(shard -> shard.owner() != null)
                .collect(Collectors.groupingBy(ShardOwner::owner, Collectors.counting()));
        List<OutboxStatus.Node> nodes = beats().stream()
                .map(beat -> new OutboxStatus.Node(
                        beat.owner(),
                        beat.label(),
                        Duration.of(Math.max(0, beat.silentMicros()), ChronoUnit.MICROS),
                        owned.getOrDefault(beat.owner(), 0L).intValue()))
                .toList();
        int relayed = nodes.stream().mapToInt(OutboxStatus.Node::shards).sum();
        Instant at = Instant.EPOCH.plus(store.statistics().clock(), ChronoUnit.MICROS);
        return new OutboxStatus(at, store.statistics().backlog(), nodes, shards.size(), shards.size() - relayed);
    }

    private List<Beat> beats() {
        try (Connections connections = new Connections(source, dialect, 1)) {
            return connections.read(jdbc -> jdbc.list(
                    sql.nodes, row -> new Beat(row.getString("owner"), row.getString("label"), row.getLong("silent"))));
        }
    }
}
