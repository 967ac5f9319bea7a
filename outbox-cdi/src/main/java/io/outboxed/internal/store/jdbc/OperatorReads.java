package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.Statistics;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.ShardLeases;
import io.outboxed.internal.store.sql.Sql;

/**
 * What operators read by the relay's own statements.
 *
 * @param shards as they are stored, whatever a node makes of them
 */
public record OperatorReads(ShardLeases shards, HandlerRegistrations handlers, Statistics statistics) {

    public static OperatorReads on(Connections connections, Dialect dialect, String prefix) {
        Sql sql = new Sql(dialect, prefix);
        return new OperatorReads(
                new JdbcShardLeases(connections, sql),
                new JdbcHandlerRegistrations(connections, sql),
                new JdbcStatistics(connections, sql));
    }
}
