package io.outboxed.kafka;

import static io.outboxed.kafka.Events.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.handlers.LeaseExpiredException;
import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real broker that answers late or refuses a record, and producers that break. */
class BrokerConnectionTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Duration MAX_BLOCK = Duration.ofSeconds(1);

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
        KAFKA.start();
    }

    @Test
    void nothing_is_sent_if_the_broker_has_answered_later_than_max_block_ms() {
        String topic = "answered-late";
        KAFKA.createTopic(topic);
        try (BrokerConnection connection = connection(topic, MAX_BLOCK)) {
            KAFKA.freeze();
            CompletableFuture<PendingSend> begun =
                    CompletableFuture.supplyAsync(() -> connection.send(record(topic), LEASE, lease -> true));
            awaitCheck(topic);
            long checking = System.nanoTime();
            Patience.until("max.block.ms is over", () -> System.nanoTime() - checking > MAX_BLOCK.toNanos());
            KAFKA.thaw();
            assertThatThrownBy(begun::join)
                    .cause()
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("later than outbox.kafka.max.block.ms (1000 ms)");
            assertThat(TopicReader.all(KAFKA, topic)).isEmpty();

            connection.send(record(topic), LEASE, lease -> true).call();
            assertThat(TopicReader.all(KAFKA, topic))
                    .as("the topic is known now")
                    .hasSize(1);
        }
    }

    @Test
    void nothing_is_sent_if_the_lease_has_ended_while_its_topic_was_checked() {
        String topic = "lease-ended";
        KAFKA.createTopic(topic);
        try (BrokerConnection connection = connection(topic, Duration.ofSeconds(20))) {
            assertThatThrownBy(() -> connection.send(record(topic), LEASE, lease -> false))
                    .isInstanceOf(LeaseExpiredException.class)
                    .hasMessageContaining("this node's lease on shard 5 was over");
            connection.send(record(topic), LEASE, lease -> true).call();
        }
        assertThat(TopicReader.all(KAFKA, topic)).hasSize(1);
    }

    @Test
    void a_closed_connection_opens_no_producer() {
        String topic = "closed-before";
        KAFKA.createTopic(topic);
        BrokerConnection connection = connection(topic, Duration.ofSeconds(5));
        connection.close();
        assertThatExceptionOfType(BrokerNotReadyException.class)
                .isThrownBy(() -> connection.send(record(topic), LEASE, lease -> true))
                .withMessageContaining("the application ends");
        assertThat(isRunning(producerThread(topic))).isFalse();
    }

    @Test
    void a_connection_that_is_closed_while_it_waits_for_the_broker_opens_no_producer() {
        String topic = "closed-meanwhile";
        KAFKA.createTopic(topic);
        BrokerConnection connection = connection(topic, Duration.ofSeconds(5));
        KAFKA.freeze();
        CompletableFuture<PendingSend> begun =
                CompletableFuture.supplyAsync(() -> connection.send(record(topic), LEASE, lease -> true));
        awaitCheck(topic);
        connection.close();
        KAFKA.thaw();
        assertThatThrownBy(begun::join).cause().isInstanceOf(BrokerNotReadyException.class);
        assertThat(isRunning(producerThread(topic))).isFalse();
        assertThat(TopicReader.all(KAFKA, topic)).isEmpty();
    }

    @Test
    @Timeout(40)
    void a_producer_whose_thread_has_died_is_replaced_and_its_events_wait_together() {
        String topic = "dead-thread";
        KAFKA.createTopic(topic);
        IoThreadInterceptor.next(() -> {
            throw new OutOfMemoryError("test");
        });
        try (BrokerConnection connection = connectionThatGivesUpSoon(topic)) {
            List<PendingSend> sent = Stream.generate(() -> connection.send(record(topic), LEASE, lease -> true))
                    .limit(20)
                    .toList();
            assertThat(sent)
                    .allSatisfy(each -> assertThatThrownBy(each::call)
                            .isInstanceOf(BrokerNotReadyException.class)
                            .hasMessageContaining("TimeoutException"));

            Patience.until("a new producer sends", () -> isConfirmed(connection, topic));
        }
    }

    @Test
    void a_record_costs_neither_an_attempt_nor_the_producer_if_another_one_of_its_batch_is_invalid() {
        String topic = "compacted";
        KAFKA.createTopic(topic, Map.of("cleanup.policy", "compact"));
        try (BrokerConnection connection = connection(topic, Map.of("linger.ms", "1000"))) {
            PendingSend valid =
                    connection.send(new ProducerRecord<>(topic, 0, bytes("key"), bytes("{}")), LEASE, lease -> true);
            PendingSend invalid =
                    connection.send(new ProducerRecord<>(topic, 0, null, bytes("{}")), LEASE, lease -> true);
            Thread thread = thread(producerThread(topic)).orElseThrow();
            assertThatThrownBy(valid::call)
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("part of a batch");
            assertThatThrownBy(invalid::call).isInstanceOf(PermanentFailureException.class);

            connection
                    .send(new ProducerRecord<>(topic, 0, bytes("key"), bytes("{}")), LEASE, lease -> true)
                    .call();
            assertThat(thread(producerThread(topic))).as("the same producer").containsSame(thread);
        }
    }

    @Test
    @Timeout(90)
    void each_problem_of_an_outage_is_logged_once() {
        String topic = "one-problem-after-another";
        KAFKA.kill();
        try (LoggedLines log = new LoggedLines();
                BrokerConnection connection = connection(topic, Duration.ofSeconds(5))) {
            assertThat(isConfirmed(connection, topic)).isFalse();
            assertThat(isConfirmed(connection, topic)).isFalse();
            assertThat(log.with("OUTBOX-0890")).singleElement().asString().contains("it does not answer");

            KAFKA.start();
            Patience.until("the missing topic is logged", () -> {
                assertThat(isConfirmed(connection, topic)).isFalse();
                return log.with("OUTBOX-0890").size() > 1;
            });
            assertThat(log.with("OUTBOX-0890"))
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("topic " + topic + ": it does not exist")
                    .doesNotContain("does not answer");
            assertThat(log.with("OUTBOX-0891")).isEmpty();

            KAFKA.createTopic(topic);
            Patience.until("an event is sent", () -> isConfirmed(connection, topic));
            assertThat(log.with("OUTBOX-0890")).hasSize(2);
            assertThat(log.with("OUTBOX-0891")).hasSize(1);
        }
    }

    @Test
    void records_of_a_node_whose_clock_is_ahead_wait_alone_and_together() {
        String topic = "clock-ahead";
        KAFKA.createTopic(topic, Map.of("message.timestamp.after.max.ms", "3600000"));
        try (BrokerConnection connection = connection(topic, Map.of("linger.ms", "1000"))) {
            PendingSend alone = connection.send(twoHoursAhead(topic), LEASE, lease -> true);
            assertThatThrownBy(alone::call)
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("the clock of this node (InvalidTimestampException: Timestamp ");

            List<PendingSend> together = List.of(
                    connection.send(twoHoursAhead(topic), LEASE, lease -> true),
                    connection.send(twoHoursAhead(topic), LEASE, lease -> true));
            assertThat(together)
                    .allSatisfy(each -> assertThatThrownBy(each::call)
                            .isInstanceOf(BrokerNotReadyException.class)
                            .hasMessageContaining("the clock of this node (InvalidRecordException: Timestamp "));

            connection.send(record(topic), LEASE, lease -> true).call();
        }
        assertThat(TopicReader.all(KAFKA, topic)).as("with the clock set right").hasSize(1);
    }

    @Test
    void a_topic_with_the_brokers_time_takes_records_of_a_node_whose_clock_is_ahead() {
        String topic = "clock-ahead-brokers-time";
        KAFKA.createTopic(topic, Map.of("message.timestamp.type", "LogAppendTime"));
        try (BrokerConnection connection = connection(topic, Duration.ofSeconds(20))) {
            connection.send(twoHoursAhead(topic), LEASE, lease -> true).call();
        }
        assertThat(TopicReader.all(KAFKA, topic)).hasSize(1);
    }

    @Test
    void a_record_waits_if_the_limit_of_its_topic_has_become_lower_than_that_of_the_producer() {
        String topic = "limit-lowered";
        KAFKA.createTopic(topic);
        ProducerRecord<byte[], byte[]> large = new ProducerRecord<>(topic, new byte[500_000]);
        try (BrokerConnection connection = connection(topic, Duration.ofSeconds(5))) {
            connection.send(large, LEASE, lease -> true).call();

            KAFKA.limit(topic, 100_000);
            Patience.until("the broker has the new limit", () -> !isConfirmed(connection, large));
            assertThatThrownBy(
                            () -> connection.send(large, LEASE, lease -> true).call())
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("topic " + topic + " takes messages of at most 100000 bytes");

            KAFKA.limit(topic, 1_048_588);
            Patience.until("the broker has the old limit", () -> isConfirmed(connection, large));
        }
    }

    @Test
    void a_record_that_no_producer_with_these_settings_may_send_is_refused_for_ever() {
        String topic = "limit-of-the-producer";
        KAFKA.createTopic(topic);
        try (BrokerConnection connection = connection(topic, Duration.ofSeconds(5))) {
            connection.send(record(topic), LEASE, lease -> true).call();

            KAFKA.freeze();
            PendingSend sent = connection.send(new ProducerRecord<>(topic, new byte[2_000_000]), LEASE, lease -> true);
            assertThatThrownBy(sent::call)
                    .as("without asking the broker")
                    .isInstanceOf(PermanentFailureException.class)
                    .hasMessageContaining("max.request.size");
        }
    }

    @Test
    void a_broker_whose_name_is_unknown_does_not_answer() {
        KafkaSettings settings = ForwardingNode.settings("nowhere.invalid:9092", "unknown-name", Map.of());
        try (BrokerConnection connection = new BrokerConnection(settings)) {
            assertThatThrownBy(() -> connection.send(record("unknown-name"), LEASE, lease -> true))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("Kafka at nowhere.invalid:9092: it does not answer")
                    .hasMessageContaining("No resolvable bootstrap urls");
        }
    }

    private static ProducerRecord<byte[], byte[]> twoHoursAhead(String topic) {
        long time = System.currentTimeMillis() + Duration.ofHours(2).toMillis();
        return new ProducerRecord<>(topic, 0, time, bytes("key"), bytes("{}"));
    }

    private static boolean isConfirmed(BrokerConnection connection, String topic) {
        return isConfirmed(connection, record(topic));
    }

    private static boolean isConfirmed(BrokerConnection connection, ProducerRecord<byte[], byte[]> record) {
        try {
            connection.send(record, LEASE, lease -> true).call();
            return true;
        } catch (BrokerNotReadyException e) {
            return false;
        }
    }

    private static BrokerConnection connectionThatGivesUpSoon(String topic) {
        return connection(
                topic,
                Map.of(
                        "interceptor.classes", IoThreadInterceptor.class.getName(),
                        "max.block.ms", "5000",
                        "delivery.timeout.ms", "1500",
                        "request.timeout.ms", "1000"));
    }

    private static BrokerConnection connection(String topic, Duration maxBlock) {
        return connection(topic, Map.of("max.block.ms", "" + maxBlock.toMillis()));
    }

    /** Its threads are named after its topic. */
    private static BrokerConnection connection(String topic, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("client.id", topic);
        return new BrokerConnection(ForwardingNode.settings(KAFKA.address(), topic, all));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, bytes("{}"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void awaitCheck(String topic) {
        Patience.until("the broker is asked", () -> isRunning("kafka-admin-client-thread | " + topic));
    }

    private static String producerThread(String topic) {
        return "kafka-producer-network-thread | " + topic;
    }

    private static boolean isRunning(String thread) {
        return thread(thread).isPresent();
    }

    private static Optional<Thread> thread(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals(name))
                .findAny();
    }
}
