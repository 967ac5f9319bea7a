package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.outboxed.OutboxMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessagePropertiesTest {
    private static final String ID = "00000000-0000-0001-0000-000000000002";

    @Test
    void the_envelope_is_a_cloud_event() {
        assertThat(MessageProperties.of(message("o-1", Map.of("traceparent", "00-a-b-01")), "/shop"))
                .containsOnly(
                        entry("cloudEvents_specversion", "1.0"),
                        entry("cloudEvents_id", ID),
                        entry("cloudEvents_source", "/shop"),
                        entry("cloudEvents_type", "order.placed"),
                        entry("cloudEvents_time", "2026-11-21T10:15:30.123456Z"),
                        entry("cloudEvents_datacontenttype", "application/json"),
                        entry("cloudEvents_subject", "o-1"),
                        entry("cloudEvents_partitionkey", "o-1"),
                        entry("JMSXGroupID", "o-1"),
                        entry("traceparent", "00-a-b-01"));
    }

    @Test
    void an_event_without_an_aggregate_has_no_group() {
        assertThat(MessageProperties.of(message("", Map.of()), "/shop"))
                .doesNotContainKeys("JMSXGroupID", "cloudEvents_subject", "cloudEvents_partitionkey");
    }

    @Test
    void a_header_keeps_its_name_as_far_as_jms_allows_it() {
        assertThat(MessageProperties.validName("tenant")).isEqualTo("tenant");
        assertThat(MessageProperties.validName("content-type")).isEqualTo("content_type");
        assertThat(MessageProperties.validName("größe")).isEqualTo("gr__e");
        assertThat(MessageProperties.validName("2nd")).isEqualTo("_2nd");
        assertThat(MessageProperties.validName("JMSXGroupID")).isEqualTo("_JMSXGroupID");
        assertThat(MessageProperties.validName("Like")).isEqualTo("_Like");
    }

    @Test
    void of_headers_with_one_name_in_jms_the_one_that_keeps_its_name_is_sent_or_else_the_first_by_name() {
        Map<String, String> headers = new HashMap<>();
        Map<String, String> sent = new HashMap<>();
        for (int n = 0; n < 16; n++) {
            headers.put("a-" + n, "changed");
            headers.put("a_" + n, "kept");
            headers.put("b-" + n, "first");
            headers.put("b." + n, "second");
            sent.put("a_" + n, "kept");
            sent.put("b_" + n, "first");
        }

        assertThat(MessageProperties.of(message("o-1", Map.copyOf(headers)), "/shop"))
                .containsAllEntriesOf(sent);
    }

    @Test
    void a_header_does_not_replace_the_envelope_but_says_what_the_payload_is() {
        Map<String, String> properties = MessageProperties.of(
                message("o-1", Map.of("cloudEvents:id", "other", "content-type", "text/plain")), "/shop");

        assertThat(properties)
                .containsEntry("cloudEvents_id", ID)
                .containsEntry("cloudEvents_datacontenttype", "text/plain");
    }

    private static OutboxMessage message(String aggregateId, Map<String, String> headers) {
        return new OutboxMessage(
                UUID.fromString(ID),
                "order.placed",
                "order",
                aggregateId,
                1,
                Instant.parse("2026-11-21T10:15:30.123456Z"),
                headers,
                "{}",
                null);
    }
}
