package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real broker that answers late. */
class BrokerConnectionTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Duration MAX_BLOCK = Duration.ofSeconds(1);

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    @Test
    void nothing_is_sent_if_the_broker_has_answered_later_than_max_block_ms() {
        String topic = "answered-late";
        KAFKA.createTopic(topic);
        try (BrokerConnection connection = connection(topic, MAX_BLOCK)) {
            KAFKA.freeze();
            CompletableFuture<PendingSend> begun = CompletableFuture.supplyAsync(() -> connection.send(record(topic)));
            awaitCheck(topic);
            long checking = System.nanoTime();
            Patience.until("max.block.ms is over", () -> System.nanoTime() - checking > MAX_BLOCK.toNanos());
            KAFKA.thaw();
            assertThatThrownBy(begun::join)
                    .cause()
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("later than outbox.kafka.max.block.ms (1000 ms)");
            assertThat(TopicReader.all(KAFKA, topic)).isEmpty();

            connection.send(record(topic)).call();
            assertThat(TopicReader.all(KAFKA, topic))
                    .as("the topic is known now")
                    .hasSize(1);
        }
    }

    @Test
    void a_closed_connection_opens_no_producer() {
        String topic = "closed-before";
        KAFKA.createTopic(topic);
        BrokerConnection connection = connection(topic, Duration.ofSeconds(5));
        connection.close();
        assertThatExceptionOfType(BrokerNotReadyException.class)
                .isThrownBy(() -> connection.send(record(topic)))
                .withMessageContaining("the application ends");
        assertThat(isRunning(producerThread(topic))).isFalse();
    }

    @Test
    void a_connection_that_is_closed_while_it_waits_for_the_broker_opens_no_producer() {
        String topic = "closed-meanwhile";
        KAFKA.createTopic(topic);
        BrokerConnection connection = connection(topic, Duration.ofSeconds(5));
        KAFKA.freeze();
        CompletableFuture<PendingSend> begun = CompletableFuture.supplyAsync(() -> connection.send(record(topic)));
        awaitCheck(topic);
        connection.close();
        KAFKA.thaw();
        assertThatThrownBy(begun::join).cause().isInstanceOf(BrokerNotReadyException.class);
        assertThat(isRunning(producerThread(topic))).isFalse();
        assertThat(TopicReader.all(KAFKA, topic)).isEmpty();
    }

    /** Its threads are named after its topic. */
    private static BrokerConnection connection(String topic, Duration maxBlock) {
        Map<String, String> settings = Map.of("client.id", topic, "max.block.ms", "" + maxBlock.toMillis());
        return new BrokerConnection(ForwardingNode.settings(KAFKA.address(), topic, settings));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, "{}".getBytes(StandardCharsets.UTF_8));
    }

    private static void awaitCheck(String topic) {
        Patience.until("the broker is asked", () -> isRunning("kafka-admin-client-thread | " + topic));
    }

    private static String producerThread(String topic) {
        return "kafka-producer-network-thread | " + topic;
    }

    private static boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals(thread));
    }
}
