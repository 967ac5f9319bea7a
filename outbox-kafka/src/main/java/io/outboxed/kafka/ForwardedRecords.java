package io.outboxed.kafka;

import io.outboxed.OutboxMessage;
import io.outboxed.PermanentFailureException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The record that a message becomes. */
record ForwardedRecords(KafkaSettings settings) {

    /**
     * Empty if the event is not to be forwarded.
     *
     * @throws PermanentFailureException if there is no route for its type, and unrouted events are not skipped
     */
    Optional<ProducerRecord<byte[], byte[]>> of(OutboxMessage message) {
        Optional<String> topic = settings.routes().topicOf(message);
        if (topic.isEmpty() && !settings.skipUnrouted()) {
            throw new PermanentFailureException("OUTBOX-0801 there is no route for " + message
                    + ". Nothing was sent. Add " + KafkaKeys.ROUTE_PREFIX + "\"" + message.type()
                    + "\"=<topic> and replay the dead letter, or set " + KafkaKeys.UNROUTED
                    + "=skip if events without a route are not meant for Kafka");
        }
        return topic.map(name -> record(name, message));
    }

    /** The producer sets the timestamp, the time of sending: Kafka counts from it how long it keeps the record. */
    private ProducerRecord<byte[], byte[]> record(String topic, OutboxMessage message) {
        byte[] key = message.aggregateId().isEmpty() ? null : utf8(message.aggregateId());
        byte[] value = message.text() != null ? utf8(message.text()) : message.bytes();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
        settings.format()
                .headers(message, settings.source())
                .forEach((name, text) -> record.headers().add(name, utf8(text)));
        return record;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
