package io.outboxed.servers.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads everything that a topic holds now, each partition in its order. */
public final class TopicReader {
    private TopicReader() {}

    public static List<ConsumerRecord<String, byte[]>> all(RealKafka kafka, String topic) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        each(kafka, topic, records::add);
        return records;
    }

    /** Without the records of transactions that were aborted or are still open. */
    public static List<ConsumerRecord<String, byte[]>> committed(RealKafka kafka, String topic) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        eachCommitted(kafka, topic, records::add);
        return records;
    }

    public static void each(RealKafka kafka, String topic, Consumer<ConsumerRecord<String, byte[]>> reader) {
        each(kafka, topic, "read_uncommitted", reader);
    }

    static void eachCommitted(RealKafka kafka, String topic, Consumer<ConsumerRecord<String, byte[]>> reader) {
        each(kafka, topic, "read_committed", reader);
    }

    private static void each(
            RealKafka kafka, String topic, String isolation, Consumer<ConsumerRecord<String, byte[]>> reader) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", kafka.address(), "auto.offset.reset", "earliest", "isolation.level", isolation);
        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(100)).forEach(reader);
            }
        }
    }
}
