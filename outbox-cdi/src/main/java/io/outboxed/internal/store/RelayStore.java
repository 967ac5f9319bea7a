package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.LaneLocks;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.ShardLeases;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * All database access of a relay. Thread-safe; methods throw {@link StoreException}.
 *
 * @param locks empty: a shard is the right to all of its lanes
 * @param losses how often any thread has lost the connection or got none: each time another server may answer next
 */
public record RelayStore(
        Nodes nodes,
        ShardLeases shards,
        HandlerRegistrations handlers,
        MessageReads reads,
        Acks acks,
        FencedWriter writes,
        Statistics statistics,
        Optional<LaneLocks> locks,
        LongSupplier losses) {

    /** Nanoseconds before a row is tried again that another transaction has locked, possibly for long. */
    public static final long LOCKED_ROW_RETRY_DELAY = Duration.ofMillis(500).toNanos();
    /** Nanoseconds before a write is tried again that the database rejects permanently. */
    public static final long REJECTED_RETRY_DELAY = Duration.ofSeconds(5).toNanos();
}
