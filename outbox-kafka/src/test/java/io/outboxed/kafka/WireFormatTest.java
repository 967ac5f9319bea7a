package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.outboxed.OutboxMessage;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** What consumers see, with their own library. */
class WireFormatTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void the_sdk_of_cloudevents_reads_our_cloudevents() {
        ProducerRecord<byte[], byte[]> record = record(
                WireFormat.CLOUDEVENTS, Events.with("order.placed", Map.of("traceparent", TRACE, "tenant", "t1")));

        CloudEvent event = KafkaMessageFactory.createReader(record.headers(), record.value())
                .toEvent();
        assertThat(event.getId()).isEqualTo("00000000-0000-0001-0000-000000000002");
        assertThat(event.getType()).isEqualTo("order.placed");
        assertThat(event.getSource()).hasToString("/shop");
        assertThat(event.getSubject()).isEqualTo("o-1");
        assertThat(event.getTime()).isEqualTo(Events.CREATED.atOffset(ZoneOffset.UTC));
        assertThat(event.getDataContentType()).isEqualTo("application/json");
        assertThat(event.getData().toBytes()).asString().isEqualTo("{\"item\":\"tea\"}");
        assertThat(event.getExtension("partitionkey")).isEqualTo("o-1");
        assertThat(record.key()).asString().isEqualTo("o-1");
        assertThat(headers(record)).containsEntry("traceparent", TRACE).containsEntry("tenant", "t1");
    }

    @Test
    void an_event_of_bytes_without_an_aggregate_has_no_key() {
        ProducerRecord<byte[], byte[]> record = record(WireFormat.CLOUDEVENTS, Events.ofBytes(new byte[] {1, 2}));

        CloudEvent event = KafkaMessageFactory.createReader(record.headers(), record.value())
                .toEvent();
        assertThat(record.key()).isNull();
        assertThat(event.getSubject()).isNull();
        assertThat(event.getDataContentType()).isEqualTo("application/octet-stream");
        assertThat(event.getData().toBytes()).containsExactly(1, 2);
    }

    @Test
    void the_application_knows_its_content_type_better_but_no_attribute() {
        Map<String, String> headers = headers(record(
                WireFormat.CLOUDEVENTS,
                Events.with("order.placed", Map.of("content-type", "application/xml", "ce_id", "forged"))));
        assertThat(headers)
                .containsEntry("content-type", "application/xml")
                .containsEntry("ce_id", "00000000-0000-0001-0000-000000000002");
    }

    @Test
    void debezium_has_the_id_and_nothing_else() {
        ProducerRecord<byte[], byte[]> record =
                record(WireFormat.DEBEZIUM, Events.with("order.placed", Map.of("tenant", "t1")));
        assertThat(headers(record)).containsExactly(Map.entry("id", "00000000-0000-0001-0000-000000000002"));
        assertThat(record.key()).asString().isEqualTo("o-1");
        assertThat(record.value()).asString().isEqualTo("{\"item\":\"tea\"}");
    }

    @Test
    void debezium_on_mysql_has_the_id_without_dashes() {
        assertThat(headers(record(WireFormat.DEBEZIUM_HEX, Events.with("order.placed", Map.of("tenant", "t1")))))
                .containsExactly(Map.entry("id", "00000000000000010000000000000002"));
    }

    @Test
    void raw_has_the_applications_headers_and_nothing_else() {
        assertThat(headers(record(WireFormat.RAW, Events.with("order.placed", Map.of("tenant", "t1")))))
                .containsExactly(Map.entry("tenant", "t1"));
    }

    private static ProducerRecord<byte[], byte[]> record(WireFormat format, OutboxMessage message) {
        KafkaSettings settings =
                new KafkaSettings(new Routes(Map.of("*", "orders")), format, "/shop", false, false, Map.of());
        return new ForwardedRecords(settings).of(message).orElseThrow();
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers()
                .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
        return headers;
    }
}
