package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.OneTransaction;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decisions that only the holder of the locks can commit. A session that is gone can't commit; and if the driver has
 * silently connected again, the query for the shard's row, which names the session, finds nothing in the new one. So no
 * other node has the lanes that are decided about here.
 */
final class SessionDecisions implements Fence {
    private final LockSession session;
    private final Sql sql;

    SessionDecisions(LockSession session, Sql sql) {
        this.session = session;
        this.sql = sql;
    }

    @Override
    public <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work) {
        return session.exclusively(() -> Connections.withRetries("the lock session", () -> once(lanes.keySet(), work)));
    }

    private <T> T once(Set<Lease> leases, Connections.Work<T> work) throws SQLException {
        for (Lease lease : leases) {
            if (!lease.owner().equals(session.owner())) {
                throw new LeaseLostException(lease);
            }
        }
        OpenSession begun = session.current();
        try {
            return OneTransaction.run(begun.jdbc(), jdbc -> {
                // MariaDB's driver for several hosts connects again in setAutoCommit, and says nothing
                Fence.lock(
                        jdbc,
                        leases,
                        ClaimStrategy.ADVISORY_LOCK::stored,
                        shards -> sql.nodes.shareFreeShards(shards, begun.id()),
                        shards -> sql.nodes.someShards(shards, begun.id()));
                return work.run(jdbc);
            });
        } catch (LeaseLostException e) {
            session.endUnlessUsable();
            throw e;
        } catch (StoreException | SQLException e) {
            // most are about a row or a shard: nothing is wrong with the session
            if (SqlFailure.isConnectionLost(e) || !begun.isRolledBack()) {
                session.abandon();
            }
            throw e;
        } catch (RuntimeException | Error e) {
            session.abandon();
            throw e;
        }
    }
}
