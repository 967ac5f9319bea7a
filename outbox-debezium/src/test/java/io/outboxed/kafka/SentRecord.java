package io.outboxed.kafka;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.record.TimestampType;

/**
 * Everything of a record that consumers see, except its offset and its time.
 *
 * @param value its bytes as hexadecimal digits, or their hash if they are many
 */
record SentRecord(
        String topic,
        int partition,
        String key,
        int keySize,
        String value,
        Map<String, String> headers,
        TimestampType timestampType) {
    private static final int PARTITIONS = 4;
    private static final int SHOWN = 500;

    static SentRecord of(ConsumerRecord<String, byte[]> record) {
        Map<String, String> headers = StreamSupport.stream(record.headers().spliterator(), false)
                .collect(Collectors.toMap(
                        header -> header.key(), header -> new String(header.value(), StandardCharsets.UTF_8)));
        return new SentRecord(
                record.topic(),
                record.partition(),
                record.key(),
                record.serializedKeySize(),
                digits(record.value()),
                headers,
                record.timestampType());
    }

    /** What this row has to become. */
    static SentRecord of(VariedEvent event, WireFormat format) {
        byte[] key = event.aggregateId().getBytes(StandardCharsets.UTF_8);
        String id = event.id().toString();
        return new SentRecord(
                "events." + event.aggregateType(),
                BuiltInPartitioner.partitionForKey(key, PARTITIONS),
                event.aggregateId(),
                key.length,
                digits(event.payload().getBytes(StandardCharsets.UTF_8)),
                Map.of("id", format == WireFormat.DEBEZIUM_HEX ? id.replace("-", "") : id),
                TimestampType.CREATE_TIME);
    }

    /** In their order. */
    static Map<String, List<SentRecord>> byAggregate(Collection<SentRecord> records) {
        return records.stream()
                .collect(Collectors.groupingBy(
                        record -> record.topic + " " + record.key, HashMap::new, Collectors.toList()));
    }

    private static String digits(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        try {
            byte[] shown = bytes.length <= SHOWN
                    ? bytes
                    : MessageDigest.getInstance("SHA-256").digest(bytes);
            return bytes.length + " bytes " + new BigInteger(1, shown).toString(16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
