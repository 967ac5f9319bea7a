package io.outboxed.internal.store;

import java.util.UUID;

/**
 * A message as capture writes it; seq, created_at and the relay's own columns are filled by the database. Headers are null for none, and
 * one of the two payloads is.
 */
@SuppressWarnings("ArrayRecordComponent")
public record OutboxRow(
        UUID id,
        int shard,
        long lane,
        String aggregateType,
        String aggregateId,
        String type,
        String payload,
        byte[] payloadBinary,
        int payloadSize,
        String headers,
        long delayMicros,
        long registryVersion) {}
