package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Where the events arrive. The broker writes into each record when it was appended. */
final class Topic implements AutoCloseable {
    /** The aggregates. */
    static final int KEYS = 1_000;

    private static final String NAME = "events.order";

    private final RealKafka kafka;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Collection<TopicPartition> partitions;

    private Topic(RealKafka kafka) {
        this.kafka = kafka;
        kafka.createTopic(NAME, Map.of("message.timestamp.type", "LogAppendTime"));
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.address()), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.partitions = consumer.partitionsFor(NAME).stream()
                .map(each -> new TopicPartition(NAME, each.partition()))
                .collect(Collectors.toSet());
    }

    static Topic inNewBroker() {
        return new Topic(RealKafka.cluster(1));
    }

    RealKafka kafka() {
        return kafka;
    }

    String name() {
        return NAME;
    }

    /** How many records it holds. */
    long size() {
        return consumer.endOffsets(partitions, Duration.ofSeconds(30)).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Milliseconds from the time that is the payload to the broker's log, for each record that begins with a mark. */
    List<Long> travelTimes(String mark) {
        List<Long> times = new ArrayList<>();
        TopicReader.each(kafka, NAME, record -> {
            String payload = new String(record.value(), StandardCharsets.UTF_8);
            if (payload.startsWith(mark)) {
                times.add(record.timestamp() - Long.parseLong(payload.substring(mark.length())));
            }
        });
        return times;
    }

    @Override
    public void close() {
        consumer.close();
        kafka.close();
    }
}
