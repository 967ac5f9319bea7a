package io.outboxed.internal.handlers;

import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.outboxed.EventType;
import io.outboxed.internal.relay.Outcome;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler's spans with the real SDK, as the server's bean. */
class TracedHandlerTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    private final Deployment deployment = Deployment.of(Shop.class, Server.class);
    private final InMemorySpanExporter exported = deployment.get(Server.class).exported();

    @AfterEach
    void stop() {
        deployment.close();
    }

    @EventType("order.placed")
    record Placed(String order) {}

    @ApplicationScoped
    static class Server {
        private final InMemorySpanExporter exported = InMemorySpanExporter.create();

        @Produces
        @ApplicationScoped
        OpenTelemetry openTelemetry() {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exported))
                            .build())
                    .build();
        }

        InMemorySpanExporter exported() {
            return exported;
        }
    }

    @ApplicationScoped
    static class Shop {
        @Inject
        OpenTelemetry openTelemetry;

        void ship(@Observes Placed event) {
            openTelemetry.getTracer("shop").spanBuilder("ship").startSpan().end();
        }

        @Transactional(Transactional.TxType.NOT_SUPPORTED)
        void mail(@Observes Placed event) {
            throw new IllegalArgumentException("secret of " + event.order());
        }

        @Retry(maxRetries = 2, delay = 0, jitter = 0)
        void flaky(@Observes Placed event) {
            throw new IllegalStateException("down");
        }
    }

    private Outcome deliver(String handler, String headers) {
        return deployment.deliver("order.placed", handler, "o-1", headers);
    }

    private SpanData exported(String name) {
        return exported.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .reduce((one, other) -> {
                    throw new AssertionError("two spans " + name);
                })
                .orElseThrow();
    }

    @Test
    void a_try_is_a_new_trace_with_a_link_to_the_publisher_and_the_handlers_own_spans_inside() {
        assertThat(deliver("Shop.ship", "{\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"a=1\"}"))
                .isEqualTo(new Outcome.Done(true));

        SpanData process = exported("process order.placed");
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(process.getParentSpanContext().isValid()).isFalse();
        assertThat(process.getTraceId()).isNotEqualTo(TRACE);
        assertThat(process.getLinks()).singleElement().satisfies(link -> {
            SpanContext publisher = link.getSpanContext();
            assertThat(publisher.getTraceId()).isEqualTo(TRACE);
            assertThat(publisher.getSpanId()).isEqualTo("b7ad6b7169203331");
            assertThat(publisher.getTraceState().get("a")).isEqualTo("1");
        });
        assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(process.getAttributes().asMap())
                .containsEntry(stringKey("messaging.system"), "outbox")
                .containsEntry(stringKey("messaging.operation.name"), "process")
                .containsEntry(stringKey("messaging.operation.type"), "process")
                .containsEntry(stringKey("messaging.destination.name"), "order.placed")
                .containsEntry(stringKey("messaging.message.id"), "00000000-0000-0007-0000-000000000001")
                .containsEntry(stringKey("outbox.aggregate.type"), "order")
                .containsEntry(stringKey("outbox.handler"), "Shop.ship")
                .containsEntry(longKey("outbox.attempt"), 1L)
                .hasSize(8);
        assertThat(exported("ship").getParentSpanId()).isEqualTo(process.getSpanId());
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void a_context_left_on_the_thread_is_not_the_parent() {
        Span left = deployment
                .get(OpenTelemetry.class)
                .getTracer("other")
                .spanBuilder("left")
                .startSpan();
        try (var scope = Context.root().with(left).makeCurrent()) {
            deliver("Shop.ship", "{}");
            assertThat(Span.current()).isSameAs(left);
        }

        assertThat(exported("process order.placed").getParentSpanContext().isValid())
                .isFalse();
        assertThat(exported("process order.placed").getLinks()).isEmpty();
    }

    @Test
    void a_failure_is_shown_by_its_class_and_never_by_its_message() {
        assertThat(deliver("Shop.mail", "{\"traceparent\":\"" + PARENT + "\"}")).isInstanceOf(Outcome.Failed.class);

        SpanData process = exported("process order.placed");
        assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(process.getAttributes().get(stringKey("error.type")))
                .isEqualTo("java.lang.IllegalArgumentException");
        assertThat(process.toString()).doesNotContain("secret of");
    }

    @Test
    void quick_tries_of_fault_tolerance_are_one_span() {
        assertThat(deliver("Shop.flaky", "{}")).isInstanceOf(Outcome.Failed.class);
        assertThat(exported.getFinishedSpanItems())
                .extracting(SpanData::getName)
                .containsExactly("process order.placed");
    }

    @Test
    void an_invalid_trace_in_a_row_is_ignored() {
        for (String broken : List.of(
                "", "x", "00-" + TRACE, "00-" + "0".repeat(32) + "-b7ad6b7169203331-01", "ff-" + PARENT.substring(3))) {
            exported.reset();
            assertThat(deliver("Shop.ship", "{\"traceparent\":\"" + broken + "\",\"tracestate\":\",,=\"}"))
                    .isEqualTo(new Outcome.Done(true));
            assertThat(exported("process order.placed").getLinks()).as(broken).isEmpty();
        }
    }
}
