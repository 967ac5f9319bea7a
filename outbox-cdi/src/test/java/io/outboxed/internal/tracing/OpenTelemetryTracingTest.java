package io.outboxed.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.outboxed.OutboxMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** With the real SDK. */
class OpenTelemetryTracingTest {
    private static final UUID ID = new UUID(7, 1);

    private final InMemorySpanExporter exported = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exported))
                    .build())
            .build();

    private Tracing tracing(boolean parentIsMessage) {
        return new OpenTelemetryTracing(() -> sdk, parentIsMessage, "the test's");
    }

    private Map<String, String> published(Tracing tracing) {
        Tracing.StartedSpan publishing = tracing.publishing(ID, "order.placed", "order");
        Map<String, String> headers = publishing.headers();
        publishing.end();
        return headers;
    }

    private void handled(Tracing tracing, Map<String, String> headers) {
        OutboxMessage message =
                new OutboxMessage(ID, "order.placed", "order", "o-1", 1, Instant.EPOCH, headers, "{}", null);
        tracing.handling(message, "Warehouse.ship").end();
    }

    private SpanData span(String name) {
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_publish_is_a_part_of_the_callers_trace_and_its_own_context_is_stored() {
        Span caller = sdk.getTracer("shop").spanBuilder("POST /orders").startSpan();
        Map<String, String> headers;
        try (var scope = caller.makeCurrent()) {
            headers = published(tracing(false));
        }

        SpanData create = span("create order.placed");
        assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(create.getParentSpanId()).isEqualTo(caller.getSpanContext().getSpanId());
        assertThat(headers.keySet()).containsExactly("traceparent");
        assertThat(headers.get("traceparent")).startsWith("00-" + create.getTraceId() + "-" + create.getSpanId() + "-");
    }

    @Test
    void the_handlers_span_is_linked_to_the_publish_or_its_child() {
        Map<String, String> headers = published(tracing(false));
        SpanData create = span("create order.placed");
        handled(tracing(false), headers);
        SpanData linked = span("process order.placed");
        exported.reset();
        handled(tracing(true), headers);
        SpanData child = span("process order.placed");

        assertThat(linked.getTraceId()).isNotEqualTo(create.getTraceId());
        assertThat(linked.getLinks())
                .singleElement()
                .satisfies(link -> assertThat(link.getSpanContext())
                        .extracting(context -> context.getTraceId() + context.getSpanId())
                        .isEqualTo(create.getTraceId() + create.getSpanId()));
        assertThat(child.getTraceId()).isEqualTo(create.getTraceId());
        assertThat(child.getParentSpanId()).isEqualTo(create.getSpanId());
        assertThat(child.getLinks()).isEmpty();
    }

    @Test
    void a_publish_that_is_refused_ends_its_span_as_failed() {
        Tracing.StartedSpan publishing = tracing(false).publishing(ID, "order.placed", "");
        publishing.failed(new IllegalStateException("secret"));
        publishing.end();

        SpanData create = span("create order.placed");
        assertThat(create.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(create.getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("java.lang.IllegalStateException");
        assertThat(create.toString()).doesNotContain("secret");
    }

    @Test
    void baggage_is_not_stored_and_neither_is_a_state_that_is_too_long() {
        String state = "a=" + "x".repeat(200) + ",b=" + "y".repeat(200) + ",c=" + "z".repeat(200);
        Context remote = W3CTraceContextPropagator.getInstance()
                .extract(
                        Context.root(),
                        Map.of(
                                "traceparent",
                                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                "tracestate",
                                state),
                        getter());
        try (var scope =
                remote.with(Baggage.builder().put("password", "secret").build()).makeCurrent()) {
            assertThat(published(tracing(false)).keySet()).containsExactly("traceparent");
        }
    }

    private static TextMapGetter<Map<String, String>> getter() {
        return new TextMapGetter<>() {
            @Override
            public Iterable<String> keys(Map<String, String> carrier) {
                return carrier.keySet();
            }

            @Override
            public String get(Map<String, String> carrier, String key) {
                return carrier.get(key);
            }
        };
    }

    @Test
    void without_an_sdk_the_callers_context_is_passed_on() {
        Tracing tracing = new OpenTelemetryTracing(OpenTelemetry::noop, false, "none");
        assertThat(published(tracing)).isEmpty();
        Span caller = sdk.getTracer("shop").spanBuilder("POST /orders").startSpan();
        try (var scope = caller.makeCurrent()) {
            assertThat(published(tracing).get("traceparent"))
                    .contains(caller.getSpanContext().getTraceId());
        }
        handled(tracing, Map.of());
    }

    @Test
    void a_tracer_that_fails_costs_the_trace_and_nothing_else() {
        List<RuntimeException> failures = List.of(new IllegalStateException("broken tracer"));
        Tracing guarded = new GuardedTracing(new OpenTelemetryTracing(
                () -> {
                    throw failures.get(0);
                },
                false,
                "broken"));

        assertThat(published(guarded)).isEmpty();
        assertThatCode(() -> handled(guarded, Map.of())).doesNotThrowAnyException();
    }
}
