package io.outboxed.internal.tracing;

import io.outboxed.OutboxMessage;
import java.util.Map;
import java.util.UUID;

/** Nothing is traced. */
record NoTracing(String description) implements Tracing {
    static final Publishing UNTRACED_PUBLISHING = new Publishing() {
        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public void failed(Throwable failure) {}

        @Override
        public void end() {}
    };

    static final Handling UNTRACED_HANDLING = new Handling() {
        @Override
        public void failed(String errorType) {}

        @Override
        public void end() {}
    };

    @Override
    public Publishing publishing(UUID id, String type, String aggregateType) {
        return UNTRACED_PUBLISHING;
    }

    @Override
    public Handling handling(OutboxMessage message, String handler) {
        return UNTRACED_HANDLING;
    }
}
