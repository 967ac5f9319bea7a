package io.outboxed.internal.tracing;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import jakarta.enterprise.inject.Instance;

/**
 * Finds the OpenTelemetry instance of this deployment: the server's bean, otherwise the global one. Loaded only if its
 * API is available.
 */
final class OpenTelemetrySource {

    private OpenTelemetrySource() {}

    static Tracing tracing(Instance<Object> beans, boolean parentIsMessage) {
        Instance<OpenTelemetry> bean = beans.select(OpenTelemetry.class);
        if (bean.isResolvable()) {
            OpenTelemetry ofServer = bean.get();
            return new OpenTelemetryTracing(() -> ofServer, parentIsMessage, "OpenTelemetry, the server's bean");
        }
        return new OpenTelemetryTracing(OpenTelemetrySource::global, parentIsMessage, "OpenTelemetry, global instance");
    }

    /** If no global instance is set, {@code get} sets a no-op, and the application's own {@code set} would fail. */
    private static OpenTelemetry global() {
        try {
            return GlobalOpenTelemetry.getOrNoop();
        } catch (NoSuchMethodError olderThan157) {
            return GlobalOpenTelemetry.get();
        }
    }
}
