package io.outboxed.internal.tracing;

import io.outboxed.internal.config.OptionalApi;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** Decides once whether this deployment traces, and with what. */
@ApplicationScoped
public class TracingChoice {
    private static final String API = "io.opentelemetry.api.OpenTelemetry";

    @Inject
    OutboxConfig config;

    @Inject
    Instance<Object> beans;

    @Produces
    @Singleton
    Tracing tracing() {
        OutboxConfig.Tracing wanted = config.observe().tracing();
        if (!wanted.enabled()) {
            return new NoTracing("off (outbox.tracing=none)");
        }
        if (!OptionalApi.isPresent(API)) {
            return new NoTracing("off (the OpenTelemetry API is not available)");
        }
        try {
            return new GuardedTracing(OpenTelemetrySource.tracing(beans, wanted.parentIsMessage()));
        } catch (RuntimeException | LinkageError e) {
            OutboxLog.tracingFailed(e);
            return new NoTracing(
                    "off (OpenTelemetry could not be used: " + e.getClass().getName() + ")");
        }
    }
}
