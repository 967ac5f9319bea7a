package io.outboxed.internal.tracing;

import io.outboxed.OutboxMessage;
import java.util.Map;
import java.util.UUID;

/** Traces nothing. */
record NoTracing(String description) implements Tracing {
    static final StartedSpan UNTRACED = new StartedSpan() {
        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public void failed(String errorType) {}

        @Override
        public void end() {}
    };

    @Override
    public StartedSpan publishing(UUID id, String type, String aggregateType) {
        return UNTRACED;
    }

    @Override
    public StartedSpan handling(OutboxMessage message, String handler) {
        return UNTRACED;
    }
}
