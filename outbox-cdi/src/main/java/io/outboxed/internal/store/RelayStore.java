package io.outboxed.internal.store;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.Nodes;
import io.outboxed.internal.store.cluster.ShardLeases;

/** All database access of a relay. Thread-safe; methods throw {@link StoreException}. */
public record RelayStore(
        Nodes nodes,
        ShardLeases shards,
        HandlerRegistrations handlers,
        MessageReads reads,
        Acks acks,
        FencedWriter writes,
        Statistics statistics) {}
