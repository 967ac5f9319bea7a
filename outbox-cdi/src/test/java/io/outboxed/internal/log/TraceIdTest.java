package io.outboxed.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TraceIdTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void it_is_found_in_the_headers_as_they_are_stored() {
        assertThat(TraceId.of("{\"tenant\":\"north\",\"traceparent\":\"" + PARENT + "\",\"tracestate\":\"a=1\"}"))
                .isEqualTo(" trace=0af7651916cd43dd8448eb211c80319c");
    }

    @Test
    void without_a_trace_there_is_none() {
        assertThat(TraceId.of(null)).isEmpty();
        assertThat(TraceId.of("{\"tenant\":\"north\"}")).isEmpty();
        assertThat(TraceId.of("{\"traceparent\":\"\\nno trace\"}")).isEmpty();
    }

    @Test
    void a_value_of_the_application_cannot_pretend_to_be_one() {
        assertThat(TraceId.of("{\"a\":\"\\\"traceparent\\\":\\\"" + PARENT + "\\\"\"}"))
                .isEmpty();
    }
}
