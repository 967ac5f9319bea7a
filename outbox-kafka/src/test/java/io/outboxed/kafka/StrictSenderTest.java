package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.handlers.LeaseExpiredException;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of a real broker: what they contain, how they fail, and who fences whom. */
@Timeout(120)
class StrictSenderTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Lease FIRST = new Lease(5, "first node", 1);
    private static final Lease SECOND = new Lease(5, "second node", 2);

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    @Test
    void an_event_that_kafka_refuses_fails_alone_although_others_share_its_transaction() {
        String topic = "strict-too-large";
        KAFKA.createTopic(topic);
        try (StrictSender sender = sender(topic, Map.of("max.request.size", "20000"))) {
            List<PendingSend> sent = sendTogether(sender, topic, "one", "two", "x".repeat(30_000), "four", "five");
            assertThatThrownBy(sent.get(2)::call)
                    .isInstanceOf(PermanentFailureException.class)
                    .hasMessageContaining("OUTBOX-0804")
                    .hasMessageContaining("RecordTooLargeException");
            for (int other : List.of(0, 1, 3, 4)) {
                assertThatCode(sent.get(other)::call).doesNotThrowAnyException();
            }
        }
        assertThat(committed(topic)).containsExactlyInAnyOrder("opens the producer", "one", "two", "four", "five");
    }

    @Test
    void the_same_if_only_the_broker_can_tell() {
        String topic = "strict-compacted";
        KAFKA.createTopic(topic, Map.of("cleanup.policy", "compact"));
        try (StrictSender sender = sender(topic, Map.of())) {
            List<PendingSend> sent = sendTogether(sender, topic, "one", null, "three");
            assertThatThrownBy(sent.get(1)::call).isInstanceOf(PermanentFailureException.class);
            assertThatCode(sent.get(0)::call).doesNotThrowAnyException();
            assertThatCode(sent.get(2)::call).doesNotThrowAnyException();
        }
        assertThat(committed(topic)).containsExactlyInAnyOrder("opens the producer", "one", "three");
    }

    @Test
    void an_event_waits_if_the_limit_of_its_topic_has_become_lower_than_that_of_the_producer() {
        String topic = "strict-limit-lowered";
        KAFKA.createTopic(topic);
        try (StrictSender sender = sender(topic, Map.of())) {
            sender.send(record(topic, "1"), FIRST, lease -> true).call();
            KAFKA.limit(topic, 100_000);
            Patience.until("the broker has the new limit", () -> !isSent(sender, record(topic, "x".repeat(500_000))));
            assertThatThrownBy(() -> sender.send(record(topic, "2"), FIRST, lease -> true))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("topic " + topic + " takes messages of at most 100000 bytes");
        }
    }

    @Test
    void events_of_a_node_whose_clock_is_ahead_wait_and_those_of_other_topics_arrive() {
        String ahead = "strict-clock-ahead";
        String other = "strict-brokers-time";
        KAFKA.createTopic(ahead, Map.of("message.timestamp.after.max.ms", "3600000"));
        KAFKA.createTopic(other, Map.of("message.timestamp.type", "LogAppendTime"));
        try (StrictSender sender = sender(ahead, Map.of())) {
            sender.send(record(other, "known"), FIRST, lease -> true).call();
            List<PendingSend> sent = sendTogether(
                    sender,
                    record(ahead, "opens the producer"),
                    List.of(record(other, "before"), twoHoursAhead(ahead), twoHoursAhead(other)));
            assertThatThrownBy(sent.get(1)::call)
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("the clock of this node");
            assertThatCode(sent.get(0)::call).doesNotThrowAnyException();
            assertThatCode(sent.get(2)::call).doesNotThrowAnyException();
        }
        assertThat(committed(ahead)).containsExactly("opens the producer");
        assertThat(committed(other)).containsExactlyInAnyOrder("known", "before", "ahead");
    }

    @Test
    void a_class_that_the_producer_can_not_load_is_named_before_anything_is_sent() {
        String topic = "strict-missing-class";
        KAFKA.createTopic(topic);
        try (StrictSender sender = sender(topic, Map.of("interceptor.classes", "org.example.Missing"))) {
            assertThatThrownBy(() -> sender.send(record(topic, "1"), FIRST, lease -> true))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("Kafka's client can't be made with the settings")
                    .hasMessageContaining("org.example.Missing");
        }
    }

    @Test
    void nothing_is_sent_if_the_lease_is_over_once_the_producer_is_open() {
        String topic = "strict-over";
        KAFKA.createTopic(topic);
        try (StrictSender sender = sender(topic, Map.of())) {
            AtomicInteger questions = new AtomicInteger();
            PendingSend event = sender.send(record(topic, "late"), FIRST, lease -> questions.incrementAndGet() == 1);
            assertThatThrownBy(event::call)
                    .isInstanceOf(LeaseExpiredException.class)
                    .hasMessageContaining("this node's lease on shard 5 was over before the event was sent");
        }
        assertThat(TopicReader.all(KAFKA, topic)).isEmpty();
    }

    @Test
    void who_opens_a_producer_of_a_shard_fences_all_others_until_they_open_another_one() {
        String topic = "strict-takeover";
        KAFKA.createTopic(topic);
        try (StrictSender first = sender(topic, Map.of());
                StrictSender second = sender(topic, Map.of())) {
            first.send(record(topic, "1"), FIRST, lease -> true).call();
            second.send(record(topic, "2"), SECOND, lease -> true).call();
            assertThatThrownBy(() -> first.send(record(topic, "1 again"), FIRST, lease -> true)
                            .call())
                    .isInstanceOf(BrokerNotReadyException.class);
            second.send(record(topic, "3"), SECOND, lease -> true).call();

            first.send(record(topic, "4"), FIRST, lease -> true).call();
        }
        assertThat(TopicReader.all(KAFKA, topic))
                .as("not even in an aborted transaction")
                .extracting(each -> new String(each.value(), StandardCharsets.UTF_8))
                .containsExactly("1", "2", "3", "4");
    }

    @Test
    void a_node_whose_lease_is_over_fences_nobody() {
        String topic = "strict-woken";
        KAFKA.createTopic(topic);
        try (StrictSender first = sender(topic, Map.of());
                StrictSender second = sender(topic, Map.of())) {
            second.send(record(topic, "1"), SECOND, lease -> true).call();
            assertThatThrownBy(() -> first.send(record(topic, "late"), FIRST, lease -> false)
                            .call())
                    .isInstanceOf(LeaseExpiredException.class);
            second.send(record(topic, "2"), SECOND, lease -> true).call();
        }
        assertThat(committed(topic)).containsExactly("1", "2");
    }

    @Test
    void under_a_new_lease_a_node_is_not_fenced_by_an_owner_in_between() {
        String topic = "strict-back";
        KAFKA.createTopic(topic);
        Lease back = new Lease(5, "first node", 3);
        try (StrictSender first = sender(topic, Map.of());
                StrictSender second = sender(topic, Map.of())) {
            first.send(record(topic, "1"), FIRST, lease -> true).call();
            second.send(record(topic, "2"), SECOND, lease -> true).call();
            first.send(record(topic, "3"), back, lease -> true).call();
        }
        assertThat(committed(topic)).containsExactly("1", "2", "3");
    }

    @Test
    void shards_do_not_fence_each_other() {
        String topic = "strict-shards";
        KAFKA.createTopic(topic);
        try (StrictSender sender = sender(topic, Map.of())) {
            List<PendingSend> sent = List.of(
                    sender.send(record(topic, "a1"), new Lease(1, "me", 1), lease -> true),
                    sender.send(record(topic, "b1"), new Lease(2, "me", 1), lease -> true),
                    sender.send(record(topic, "a2"), new Lease(1, "me", 1), lease -> true));
            sent.forEach(PendingSend::call);
        }
        assertThat(committed(topic)).containsExactlyInAnyOrder("a1", "a2", "b1");
    }

    @Test
    void a_timeout_of_transactions_that_the_brokers_do_not_allow_is_named_before_anything_is_sent() {
        String topic = "strict-timeout";
        KAFKA.createTopic(topic);
        try (StrictSender sender = sender(topic, Map.of("transaction.timeout.ms", "900001"))) {
            assertThatThrownBy(() -> sender.send(record(topic, "1"), FIRST, lease -> true))
                    .isInstanceOf(BrokerNotReadyException.class)
                    .hasMessageContaining("transactional ids strict-timeout-*: the brokers refuse them")
                    .hasMessageContaining("transaction.max.timeout.ms")
                    .hasMessageContaining("outbox.kafka.transaction.timeout.ms is 900001");
        }
    }

    @Test
    void a_closed_sender_takes_nothing() {
        String topic = "strict-closed";
        KAFKA.createTopic(topic);
        StrictSender sender = sender(topic, Map.of());
        sender.send(record(topic, "1"), FIRST, lease -> true).call();
        sender.close();
        assertThatThrownBy(() ->
                        sender.send(record(topic, "2"), FIRST, lease -> true).call())
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the application ends");
        assertThat(committed(topic)).containsExactly("1");
    }

    /** While the broker stands still, the first transaction does not end, and all others wait for the second one. */
    private static List<PendingSend> sendTogether(StrictSender sender, String topic, String... values) {
        return sendTogether(
                sender,
                record(topic, "opens the producer"),
                Arrays.stream(values).map(value -> record(topic, value)).toList());
    }

    private static List<PendingSend> sendTogether(
            StrictSender sender, ProducerRecord<byte[], byte[]> first, List<ProducerRecord<byte[], byte[]>> records) {
        sender.send(first, FIRST, lease -> true).call();
        KAFKA.freeze();
        List<PendingSend> events = records.stream()
                .map(record -> sender.send(record, FIRST, lease -> true))
                .toList();
        KAFKA.thaw();
        return events;
    }

    private static ProducerRecord<byte[], byte[]> twoHoursAhead(String topic) {
        long time = System.currentTimeMillis() + Duration.ofHours(2).toMillis();
        byte[] value = "ahead".getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, 0, time, value, value);
    }

    /** False if it waits. */
    private static boolean isSent(StrictSender sender, ProducerRecord<byte[], byte[]> record) {
        try {
            sender.send(record, FIRST, lease -> true).call();
            return true;
        } catch (BrokerNotReadyException e) {
            return false;
        }
    }

    /** Null: without a key, which a compacted topic refuses. */
    private static ProducerRecord<byte[], byte[]> record(String topic, String value) {
        byte[] bytes = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, 0, value == null ? null : bytes, bytes);
    }

    private static List<String> committed(String topic) {
        return TopicReader.committed(KAFKA, topic).stream()
                .map(each -> new String(each.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** It is patient with a broker that has just started. */
    private static StrictSender sender(String topic, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("max.block.ms", "20000"));
        settings.putAll(more);
        return new StrictSender(ForwardingNode.settings(KAFKA.address(), topic, true, settings));
    }
}
