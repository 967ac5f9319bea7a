package io.outboxed.internal.relay;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.time.Duration;

/** The store of a node with any claim strategy. */
final class NodeStores {

    private NodeStores() {}

    static JdbcRelayStore open(
            ClaimStrategy claim, ConnectionSource source, Dialect dialect, String prefix, Duration lease) {
        return switch (claim) {
            case SHARDS -> new JdbcRelayStore(source, dialect, prefix, false, dropped -> {}, lease);
            case ADVISORY_LOCK -> JdbcRelayStore.withLaneLocks(source, dialect, prefix, false, dropped -> {}, lease);
            case ROW_LOCK -> JdbcRelayStore.withClaimRows(source, dialect, prefix, false, dropped -> {}, lease);
        };
    }
}
