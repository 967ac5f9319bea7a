package io.outboxed.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What is configured under {@code outbox.kafka}. Built and validated by {@link KafkaSettingsReader}.
 *
 * @param source the {@code source} of CloudEvents
 * @param skipUnrouted whether an event without a route is done; otherwise it becomes a dead letter
 * @param strict whether each shard has a producer that fences the shard's former owners
 * @param producer the settings of Kafka's producer, with our defaults; may contain secrets
 */
record KafkaSettings(
        Routes routes,
        WireFormat format,
        String source,
        boolean skipUnrouted,
        boolean strict,
        Map<String, String> producer) {
    /** More than the relay, and the one who waits for the result, take in addition. */
    private static final Duration BESIDE_OTHERS = Duration.ofSeconds(1);

    String brokers() {
        return producer.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
    }

    /** The longest time that {@code send} itself can take. */
    Duration maxBlock() {
        return millis(ProducerConfig.MAX_BLOCK_MS_CONFIG);
    }

    /** The longest time from a call of {@code send} to its result. */
    Duration longestSend() {
        return maxBlock().plus(millis(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG));
    }

    /** In strict mode: the longest time that a transaction is open, from its first record to its commit. */
    Duration longestTransaction() {
        return longestSend().plus(maxBlock());
    }

    /** In strict mode: another transaction of the shard, the opening of its producer, and the event's transaction. */
    Duration longestInLine() {
        return longestTransaction().multipliedBy(2).plus(maxBlock());
    }

    /** The longest time that an event occupies its worker: with the check of its topic, and others that begin first. */
    Duration longestCall() {
        return (strict ? longestInLine() : longestSend()).plus(maxBlock()).plus(BESIDE_OTHERS);
    }

    /** The most bytes of a record with its key and headers. */
    long maxRequestSize() {
        return sizeOf(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
    }

    /** The value of a setting that is a number of bytes, or Kafka's default. */
    long sizeOf(String key) {
        return Long.parseLong(producer.getOrDefault(
                key, String.valueOf(ProducerConfig.configDef().defaultValues().get(key))));
    }

    /** The settings of a producer that fences earlier ones of the same name. */
    Map<String, Object> transactional(String name) {
        String id = transactionalId(name);
        Map<String, Object> settings = new HashMap<>(producer);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        settings.put(ProducerConfig.CLIENT_ID_CONFIG, id);
        return settings;
    }

    String transactionalId(String name) {
        return producer.get(ProducerConfig.CLIENT_ID_CONFIG) + "-" + name;
    }

    private Duration millis(String key) {
        return Duration.ofMillis(Long.parseLong(producer.get(key)));
    }

    /** Without the producer's settings, which may contain secrets. */
    @Override
    public String toString() {
        return "KafkaSettings[" + routes + ", " + KafkaKeys.word(format) + " to " + brokers() + "]";
    }
}
