package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.cluster.ShardLeases;
import io.outboxed.internal.store.jdbc.locks.Fence;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Which node relays which shard. */
final class JdbcShardLeases implements ShardLeases, Fence {
    private final Connections connections;
    private final Sql sql;

    JdbcShardLeases(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    @Override
    public <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work) {
        return connections.transaction(jdbc -> {
            Fence.lock(
                    jdbc, lanes.keySet(), UnaryOperator.identity(), sql.nodes::lockFreeShards, sql.nodes::someShards);
            return work.run(jdbc);
        });
    }

    @Override
    public List<Lease> all(BooleanSupplier isLate) {
        return connections.autoCommit(jdbc -> jdbc.list(sql.nodes.shards, Fence::lease));
    }

    @Override
    public OptionalLong take(Lease observed, String newOwner) {
        return connections.transaction(jdbc -> {
            // a row locked by a frozen node is left for the next round instead of holding up all others
            boolean asObserved = jdbc.first(sql.nodes.lockShardIfFree, Fence::lease, observed.shard())
                    .filter(observed::equals)
                    .isPresent();
            if (!asObserved) {
                return OptionalLong.empty();
            }
            jdbc.update(sql.nodes.takeShard, newOwner, observed.shard());
            return OptionalLong.of(observed.epoch() + 1);
        });
    }

    @Override
    public boolean handOver(Lease lease, String newOwner) {
        return connections.transaction(jdbc -> {
            try {
                Fence.lock(
                        jdbc,
                        List.of(lease),
                        UnaryOperator.identity(),
                        sql.nodes::lockFreeShards,
                        sql.nodes::someShards);
            } catch (LeaseLostException e) {
                return false;
            }
            return pass(jdbc, lease, newOwner);
        });
    }

    @Override
    public void release(Collection<Lease> leases) {
        List<Lease> ordered =
                leases.stream().sorted(Comparator.comparingInt(Lease::shard)).toList();
        connections.transaction(jdbc -> {
            for (Lease lease : ordered) {
                if (jdbc.exists(sql.nodes.lockShardIfFree, lease.shard())) {
                    pass(jdbc, lease, null);
                }
            }
            return null;
        });
    }

    private boolean pass(Jdbc jdbc, Lease lease, String newOwner) throws SQLException {
        return jdbc.update(sql.nodes.passShard, newOwner, lease.shard(), lease.owner(), lease.epoch()) == 1;
    }
}
