package io.outboxed.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The broker of the demo, without the demo. */
class DemoKafkaTest {
    @TempDir
    private Path directory;

    private final BlockingQueue<String> console = new LinkedBlockingQueue<>();

    @Test
    void what_arrives_is_shown_and_a_killed_broker_is_started_again() throws Exception {
        try (DemoKafka kafka = DemoKafka.start(directory, console::add, Duration.ofMillis(200))) {
            send(kafka, "7", "order.placed");
            assertThat(shown()).matches("Kafka: topic orders, key 7, ce_type order\\.placed, offset \\d/0");

            kill();
            assertThat(shown()).startsWith("Kafka: the broker has ended.");
            assertThat(shown()).startsWith("Kafka: the broker is back.");

            send(kafka, "7", "order.cancelled");
            assertThat(shown()).matches("Kafka: topic orders, key 7, ce_type order\\.cancelled, offset \\d/1");
        }
        assertThat(console).isEmpty();
    }

    @Test
    void a_broker_that_is_killed_while_it_starts_is_started_again() throws Exception {
        try (DemoKafka kafka = DemoKafka.start(directory, console::add, Duration.ofMillis(200))) {
            long first = kill();
            assertThat(shown()).startsWith("Kafka: the broker has ended.");
            startedAfter(first).destroyForcibly();
            assertThat(shown()).startsWith("Kafka: the broker could not be started.");
            assertThat(shown()).startsWith("Kafka: the broker has ended.");
            assertThat(shown()).startsWith("Kafka: the broker is back.");

            send(kafka, "7", "order.placed");
            assertThat(shown()).startsWith("Kafka: topic orders, key 7,");
        }
    }

    @Test
    @Timeout(60)
    void a_demo_that_ends_does_not_wait_for_a_broker_that_starts() throws Exception {
        ProcessHandle hanging;
        try (DemoKafka kafka = DemoKafka.start(directory, console::add, Duration.ofMillis(200))) {
            assertThat(kafka).isNotNull();
            hanging = startedAfter(kill());
            new ProcessBuilder("kill", "-STOP", String.valueOf(hanging.pid()))
                    .start()
                    .onExit()
                    .join();
        }
        assertThat(hanging.isAlive()).isFalse();
        assertThat(console).singleElement().asString().startsWith("Kafka: the broker has ended.");
    }

    private long kill() throws IOException {
        long pid = pid();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        return pid;
    }

    private ProcessHandle startedAfter(long previous) throws IOException {
        while (pid() == previous) {
            Thread.onSpinWait();
        }
        return ProcessHandle.of(pid()).orElseThrow();
    }

    /** The file is empty while it is written. */
    private long pid() throws IOException {
        String written = "";
        while (written.isEmpty()) {
            written = Files.readString(directory.resolve("kafka-1.pid"));
        }
        return Long.parseLong(written);
    }

    private String shown() throws InterruptedException {
        return console.poll(60, TimeUnit.SECONDS);
    }

    private static void send(DemoKafka kafka, String key, String type) throws InterruptedException, ExecutionException {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.environment().get("OUTBOX_KAFKA_BOOTSTRAP_SERVERS"), "acks", "all");
        ProducerRecord<String, String> record = new ProducerRecord<>("orders", key, "{}");
        record.headers().add("ce_type", type.getBytes(StandardCharsets.UTF_8));
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.send(record).get();
        }
    }
}
