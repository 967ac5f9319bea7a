package io.outboxed.internal.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.outboxed.OutboxMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Traces with OpenTelemetry, by its semantic conventions for messaging. Loaded only if its API is available.
 *
 * <p>Headers are stored as W3C Trace Context, whatever propagators the server is configured with, because rows outlive
 * settings. Baggage is not stored, because it may contain anything.
 */
final class OpenTelemetryTracing implements Tracing {
    private static final String SCOPE = "io.outboxed";
    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private final Supplier<OpenTelemetry> openTelemetry;
    private final boolean parentIsMessage;
    private final String description;

    /** @param openTelemetry called for each span, because an application may set the global instance late */
    OpenTelemetryTracing(Supplier<OpenTelemetry> openTelemetry, boolean parentIsMessage, String description) {
        this.openTelemetry = openTelemetry;
        this.parentIsMessage = parentIsMessage;
        this.description = description;
    }

    @Override
    public StartedSpan publishing(UUID id, String type, String aggregateType) {
        Span span = span("create", id, type, aggregateType)
                .setSpanKind(SpanKind.PRODUCER)
                .startSpan();
        return new OpenSpan(span, Scope.noop());
    }

    /** Its scope is closed by {@code end}. */
    @Override
    @SuppressWarnings("MustBeClosedChecker")
    public StartedSpan handling(OutboxMessage message, String handler) {
        SpanBuilder builder = span("process", message.id(), message.type(), message.aggregateType())
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute("outbox.handler", handler)
                .setAttribute("outbox.attempt", message.attempt());
        Context published = W3C.extract(Context.root(), message.headers(), new Headers());
        SpanContext publisher = Span.fromContext(published).getSpanContext();
        Context around = Context.root();
        if (parentIsMessage) {
            around = published;
            builder.setParent(published);
        } else {
            builder.setNoParent();
            if (publisher.isValid()) {
                builder.addLink(publisher);
            }
        }
        Span span = builder.startSpan();
        return new OpenSpan(span, around.with(span).makeCurrent());
    }

    private SpanBuilder span(String operation, UUID id, String type, String aggregateType) {
        SpanBuilder builder = openTelemetry
                .get()
                .getTracer(SCOPE)
                .spanBuilder(operation + " " + type)
                .setAttribute("messaging.system", "outbox")
                .setAttribute("messaging.operation.name", operation)
                .setAttribute("messaging.operation.type", operation)
                .setAttribute("messaging.destination.name", type)
                .setAttribute("messaging.message.id", id.toString());
        return aggregateType.isEmpty() ? builder : builder.setAttribute("outbox.aggregate.type", aggregateType);
    }

    @Override
    public String description() {
        return description;
    }

    /** @param scope in which the span is current */
    private record OpenSpan(Span span, Scope scope) implements StartedSpan {

        @Override
        public Map<String, String> headers() {
            Map<String, String> headers = new HashMap<>();
            W3C.inject(Context.root().with(span), headers, (map, name, value) -> map.put(name, value));
            if (headers.getOrDefault(TraceHeaders.STATE, "").length() > TraceHeaders.MAX_STATE) {
                headers.remove(TraceHeaders.STATE);
            }
            return headers;
        }

        @Override
        public void failed(String errorType) {
            span.setAttribute("error.type", errorType);
            span.setStatus(StatusCode.ERROR);
        }

        @Override
        public void end() {
            scope.close();
            span.end();
        }
    }

    private static final class Headers implements TextMapGetter<Map<String, String>> {
        @Override
        public Iterable<String> keys(Map<String, String> headers) {
            return headers.keySet();
        }

        @Override
        public String get(Map<String, String> headers, String name) {
            return headers == null ? null : headers.get(name);
        }
    }
}
