package io.outboxed.internal.tracing;

import io.outboxed.OutboxMessage;
import io.outboxed.internal.log.OutboxLog;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Shields the event from failures of a tracer: they are logged once, and the affected event is not traced. */
final class GuardedTracing implements Tracing {
    private final Tracing tracing;
    private final AtomicBoolean logged = new AtomicBoolean();

    GuardedTracing(Tracing tracing) {
        this.tracing = tracing;
    }

    @Override
    public StartedSpan publishing(UUID id, String type, String aggregateType) {
        return started(() -> tracing.publishing(id, type, aggregateType));
    }

    @Override
    public StartedSpan handling(OutboxMessage message, String handler) {
        return started(() -> tracing.handling(message, handler));
    }

    private StartedSpan started(Supplier<StartedSpan> start) {
        StartedSpan span = guarded(start, NoTracing.UNTRACED);
        return new StartedSpan() {
            @Override
            public Map<String, String> headers() {
                return guarded(span::headers, Map.of());
            }

            @Override
            public void failed(String errorType) {
                guarded(() -> span.failed(errorType));
            }

            @Override
            public void end() {
                guarded(span::end);
            }
        };
    }

    @Override
    public String description() {
        return tracing.description();
    }

    private void guarded(Runnable call) {
        guarded(
                () -> {
                    call.run();
                    return null;
                },
                null);
    }

    private <T> T guarded(Supplier<T> call, T otherwise) {
        try {
            return call.get();
        } catch (RuntimeException | LinkageError e) {
            if (logged.compareAndSet(false, true)) {
                OutboxLog.tracingFailed(e);
            }
            return otherwise;
        }
    }
}
