package io.outboxed.kafka;

import io.outboxed.OutboxMessage;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Messages as the relay passes them on. */
final class Events {
    static final Instant CREATED = Instant.parse("2026-11-21T10:15:30.123456Z");
    static final Lease LEASE = new Lease(5, "me", 1);

    private Events() {}

    static OutboxMessage ofType(String type) {
        return with(type, Map.of());
    }

    static OutboxMessage with(String type, Map<String, String> headers) {
        return new OutboxMessage(new UUID(1, 2), type, "order", "o-1", 1, CREATED, headers, "{\"item\":\"tea\"}", null);
    }

    static OutboxMessage ofBytes(byte[] bytes) {
        return new OutboxMessage(new UUID(1, 2), "order.placed", "", "", 1, CREATED, Map.of(), null, bytes);
    }
}
