package io.outboxed.servers.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads everything that a topic holds now, each partition in its order. */
public final class TopicReader {
    /** A transaction that a producer has left open is aborted by the broker after 25 seconds. */
    private static final Duration MARKERS = Duration.ofSeconds(60);

    private static final long BETWEEN_LOOKS = Duration.ofMillis(20).toNanos();

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
        try (KafkaConsumer<String, byte[]> consumer = consumer(kafka, isolation)) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = ends(kafka, consumer, partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
                consumer.poll(Duration.ofMillis(100)).forEach(reader);
            }
        }
    }

    /**
     * A commit is answered before its markers are in the partitions: until then, its records look like those of an open
     * transaction.
     */
    private static Map<TopicPartition, Long> ends(
            RealKafka kafka, KafkaConsumer<String, byte[]> reading, List<TopicPartition> partitions) {
        long deadline = System.nanoTime() + MARKERS.toNanos();
        try (KafkaConsumer<String, byte[]> all = consumer(kafka, "read_uncommitted")) {
            Map<TopicPartition, Long> highest = all.endOffsets(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(reading.endOffsets(partitions));
            while (partitions.stream().anyMatch(each -> ends.get(each) < highest.get(each))) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("after " + MARKERS.toSeconds()
                            + " s, a transaction is still open before the ends " + highest + ": it begins at " + ends);
                }
                LockSupport.parkNanos(BETWEEN_LOOKS);
                ends.putAll(reading.endOffsets(partitions));
            }
            return ends;
        }
    }

    private static KafkaConsumer<String, byte[]> consumer(RealKafka kafka, String isolation) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.address(),
                        "auto.offset.reset",
                        "earliest",
                        "isolation.level",
                        isolation),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }
}
