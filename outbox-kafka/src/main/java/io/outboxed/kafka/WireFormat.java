package io.outboxed.kafka;

import io.outboxed.OutboxMessage;
import java.util.Map;
import java.util.function.BiFunction;

/** Which headers a record has. Key and value are the same in all formats: the aggregate's id and the payload. */
enum WireFormat {
    /** CloudEvents 1.0, binary content mode, with the application's headers. */
    CLOUDEVENTS(CloudEventHeaders::of),
    /** As Debezium's outbox event router writes it with its defaults. */
    DEBEZIUM((message, source) -> Map.of("id", message.id().toString())),
    /** As it writes it with MySQL's binary ids, and {@code binary.handling.mode=hex}. */
    DEBEZIUM_HEX((message, source) -> Map.of("id", message.id().toString().replace("-", ""))),
    /** The application's headers only. */
    RAW((message, source) -> message.headers());

    private final BiFunction<OutboxMessage, String, Map<String, String>> headers;

    WireFormat(BiFunction<OutboxMessage, String, Map<String, String>> headers) {
        this.headers = headers;
    }

    Map<String, String> headers(OutboxMessage message, String source) {
        return headers.apply(message, source);
    }
}
