package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.EventType;
import io.outboxed.OutboxMessage;
import io.outboxed.PublishOptions;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.internal.tracing.Tracing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which part of the publisher's trace is stored in the row. */
class StoredTraceTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @EventType("tick")
    public record Tick(int n) {}

    /** A publisher inside of a trace. */
    private static final class Traced implements Tracing {
        private final List<String> steps = new ArrayList<>();
        private Map<String, String> headers = Map.of("traceparent", PARENT, "tracestate", "a=1");

        @Override
        public StartedSpan publishing(UUID id, String type, String aggregateType) {
            return new StartedSpan() {
                @Override
                public Map<String, String> headers() {
                    return headers;
                }

                @Override
                public void failed(String errorType) {
                    steps.add(errorType);
                }

                @Override
                public void failed(Throwable failure) {
                    steps.add(failure.getMessage().substring(0, 11));
                }

                @Override
                public void end() {
                    steps.add("end " + type);
                }
            };
        }

        @Override
        public StartedSpan handling(OutboxMessage message, String handler) {
            return NONE.handling(message, handler);
        }

        @Override
        public String description() {
            return "the test's";
        }
    }

    private final Traced traced = new Traced();
    private final CaptureFixture door = new CaptureFixture(traced, Propagators.none());

    private String headers(PublishOptions options) {
        return door.stored(new Tick(1), options).headers();
    }

    @Test
    void the_trace_is_stored_beside_the_applications_headers() {
        assertThat(headers(PublishOptions.none()))
                .isEqualTo("{\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"a=1\"}");
        assertThat(headers(PublishOptions.none().header("tenant", "north")))
                .isEqualTo("{\"tenant\":\"north\",\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"a=1\"}");
        assertThat(traced.steps).containsExactly("end tick", "end tick");
    }

    @Test
    void where_the_trace_does_not_fit_the_event_is_stored_without_it() {
        int rest = HeadersText.MAX_TOTAL - "{\"big\":\"\"}".length();
        String parent = ",\"traceparent\":\"" + PARENT + "\"";

        assertThat(headers(PublishOptions.none().header("big", "x".repeat(rest))))
                .doesNotContain("trace");
        assertThat(headers(PublishOptions.none().header("big", "x".repeat(rest - parent.length()))))
                .contains("traceparent")
                .doesNotContain("tracestate")
                .hasSize(HeadersText.MAX_TOTAL);
    }

    @Test
    void the_application_cannot_write_the_headers_of_the_trace() {
        for (String name : List.of("traceparent", "tracestate", "TraceParent")) {
            assertThatThrownBy(() -> headers(PublishOptions.none().header(name, PARENT)))
                    .hasMessageStartingWith("OUTBOX-0114 the header " + name + " of tick is reserved");
        }
        assertThat(traced.steps)
                .containsExactly("OUTBOX-0114", "end tick", "OUTBOX-0114", "end tick", "OUTBOX-0114", "end tick");
    }
}
