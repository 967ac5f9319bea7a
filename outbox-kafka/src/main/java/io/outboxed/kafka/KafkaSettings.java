package io.outboxed.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What is configured under {@code outbox.kafka}. Built and validated by {@link KafkaSettingsReader}.
 *
 * @param source the {@code source} of CloudEvents
 * @param skipUnrouted whether an event without a route is done; otherwise it becomes a dead letter
 * @param producer the settings of Kafka's producer, with our defaults; may contain secrets
 */
record KafkaSettings(
        Routes routes, WireFormat format, String source, boolean skipUnrouted, Map<String, String> producer) {

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

    private Duration millis(String key) {
        return Duration.ofMillis(Long.parseLong(producer.get(key)));
    }

    /** Without the producer's settings, which may contain secrets. */
    @Override
    public String toString() {
        return "KafkaSettings[" + routes + ", " + KafkaKeys.word(format) + " to " + brokers() + "]";
    }
}
