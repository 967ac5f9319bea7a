package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node does not keep the producers of shards that it has given away. */
@Timeout(120)
class UnusedProducersTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Lease LEASE = new Lease(5, "me", 1);

    @Test
    void a_producer_that_is_not_used_any_more_is_closed_and_another_one_is_opened_for_the_next_event() {
        String topic = "unused";
        KAFKA.createTopic(topic);
        try (StrictSender sender = new StrictSender(settings(topic), Duration.ofSeconds(5))) {
            send(sender, topic);
            assertThat(isOpen(topic)).isTrue();
            Patience.until("the producer is closed", () -> !isOpen(topic));

            send(sender, topic);
            assertThat(isOpen(topic)).isTrue();
            assertThat(TopicReader.all(KAFKA, topic)).hasSize(2);
        }
    }

    @Test
    void a_producer_that_is_in_use_stays_open() {
        String topic = "in-use";
        KAFKA.createTopic(topic);
        KafkaSettings settings = settings(topic);
        StrictFailures failures = new StrictFailures(
                settings,
                new WritableTopics(settings, topics -> Map.of()),
                new TransactionCheck(settings, Runnable::run));
        ShardPipeline line = new ShardPipeline(
                lease -> FencingProducer.open(settings, lease, Runnable::run),
                Runnable::run,
                failures,
                settings.longestTransaction());
        StrictSend event = new StrictSend(record(topic), LEASE, lease -> true, Duration.ofSeconds(60));
        line.add(event);
        event.call();

        line.closeIfUnused(Duration.ofMinutes(5));
        assertThat(isOpen(topic)).isTrue();
        line.closeIfUnused(Duration.ZERO);
        assertThat(isOpen(topic)).isFalse();
    }

    private static void send(StrictSender sender, String topic) {
        sender.send(record(topic), LEASE, lease -> true).call();
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, new byte[] {1});
    }

    private static boolean isOpen(String topic) {
        String thread = "kafka-producer-network-thread | " + topic + "-" + LEASE.shard();
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals(thread));
    }

    private static KafkaSettings settings(String topic) {
        return ForwardingNode.settings(KAFKA.address(), topic, true, Map.of("max.block.ms", "10000"));
    }
}
