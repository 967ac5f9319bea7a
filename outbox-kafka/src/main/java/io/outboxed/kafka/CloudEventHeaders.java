package io.outboxed.kafka;

import io.outboxed.OutboxMessage;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The headers of a CloudEvent in binary content mode, by the CloudEvents Kafka protocol binding 1.0. The application's
 * headers keep their names, among them {@code traceparent}; its {@code content-type} replaces ours.
 */
final class CloudEventHeaders {
    static final String CONTENT_TYPE = "content-type";
    static final String JSON = "application/json";
    static final String BYTES = "application/octet-stream";

    private CloudEventHeaders() {}

    static Map<String, String> of(OutboxMessage message, String source) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(CONTENT_TYPE, message.text() != null ? JSON : BYTES);
        headers.putAll(message.headers());
        headers.put("ce_specversion", "1.0");
        headers.put("ce_id", message.id().toString());
        headers.put("ce_source", source);
        headers.put("ce_type", message.type());
        headers.put("ce_time", DateTimeFormatter.ISO_INSTANT.format(message.createdAt()));
        if (!message.aggregateId().isEmpty()) {
            headers.put("ce_subject", message.aggregateId());
            headers.put("ce_partitionkey", message.aggregateId());
        }
        return headers;
    }
}
