package io.outboxed.internal.store;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Lease;
import java.sql.SQLException;
import java.time.Duration;

/** Nodes that claim lanes by locks of their sessions, for the contracts of such locks. */
interface LockingNodes extends JdbcContract {
    Duration LEASE = Duration.ofSeconds(10);
    String ONE = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "one";
    String OTHER = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "other";

    default RelayStore open(String owner) {
        return open(owner, LEASE);
    }

    default RelayStore open(String owner, Duration lease) {
        RelayStore opened = jdbc().stores.withLocks(lease);
        opened.locks().orElseThrow().open(owner);
        opened.nodes().join(owner, owner, 1);
        return opened;
    }

    static LaneLocks locks(RelayStore store) {
        return store.locks().orElseThrow();
    }

    /** The shard of the contract's lane, taken from its owner. */
    static Lease shared(RelayStore node, String owner) {
        Lease observed = node.shards().all().get(StoreContract.SHARD);
        long epoch = node.shards().take(observed, owner).orElseThrow();
        return new Lease(StoreContract.SHARD, owner, epoch);
    }

    static int change(Jdbc jdbc) throws SQLException {
        return jdbc.update("UPDATE effect SET amount = amount + 1 WHERE id = 3");
    }

    /** Part of each statement that takes locks. */
    default String takingLocks() {
        return jdbc().dialect().isMySqlFamily() ? "GET_LOCK" : "pg_try_advisory_lock";
    }
}
