package io.outboxed.internal.operations;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Nodes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** A node that has not been declared dead. */
record LiveNode(String owner, String label, long registryVersion, Duration silence) {
    /** Only another node declares a node dead, so if all are dead, none of them is declared so. */
    private static final Duration LONGEST_SILENCE = Nodes.LONGEST_LEASE.plusMinutes(5);

    static List<LiveNode> all(Jdbc jdbc, OperationsSql sql) throws SQLException {
        return jdbc.list(sql.nodes, LiveNode::of).stream()
                .filter(node -> node.silence.compareTo(LONGEST_SILENCE) < 0)
                .toList();
    }

    private static LiveNode of(ResultSet row) throws SQLException {
        return new LiveNode(
                row.getString("owner"),
                row.getString("label"),
                row.getLong("registry_version"),
                Duration.of(Math.max(0, row.getLong("silent")), ChronoUnit.MICROS));
    }

    /** The owner of its shards: nodes that claim aggregates share them. */
    String holder() {
        return ClaimStrategy.ofNode(owner).map(ClaimStrategy::shardOwner).orElse(owner);
    }
}
