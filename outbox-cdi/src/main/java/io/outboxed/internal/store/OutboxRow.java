package io.outboxed.internal.store;

import java.util.UUID;

/**
 * A message as capture writes it. The database fills seq, created_at and the relay's own columns. Headers are null if
 * there are none; either text or bytes is null.
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
        long registryVersion) {

    public OutboxRow withDelay(long newDelayMicros) {
        return new OutboxRow(
                id,
                shard,
                lane,
                aggregateType,
                aggregateId,
                type,
                payload,
                payloadBinary,
                payloadSize,
                headers,
                newDelayMicros,
                registryVersion);
    }
}
