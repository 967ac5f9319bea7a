package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.sql.Sql;
import java.util.List;

/** Which nodes are alive. Only the node itself locks its row for longer than one statement. */
final class JdbcNodes implements Nodes {
    private final Connections connections;
    private final Sql sql;

    JdbcNodes(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    @Override
    public void join(String owner, String label, long registryVersion) {
        connections.autoCommit(jdbc -> {
            // one at a time: a DELETE with a scan would wait for the rows of live nodes
            for (String ended : jdbc.list(sql.nodes.endedNodes, row -> row.getString("owner"))) {
                jdbc.update(sql.nodes.forgetNode, ended);
            }
            return jdbc.update(sql.nodes.join, owner, label, registryVersion);
        });
    }

    @Override
    public boolean beat(String owner) {
        return connections.autoCommit(jdbc -> jdbc.update(sql.nodes.beat, owner)) == 1;
    }

    @Override
    public List<NodeHeartbeat> live() {
        return connections.autoCommit(jdbc -> jdbc.list(
                sql.nodes.alive,
                row -> new NodeHeartbeat(
                        row.getString("owner"),
                        row.getString("label"),
                        row.getLong("registry_version"),
                        row.getLong("beat"))));
    }

    @Override
    public boolean declareDead(NodeHeartbeat observed) {
        return connections.autoCommit(jdbc -> jdbc.update(sql.nodes.declareDead, observed.owner(), observed.beat()))
                == 1;
    }

    @Override
    public void leave(String owner) {
        connections.autoCommit(jdbc -> jdbc.update(sql.nodes.leave, owner));
    }
}
