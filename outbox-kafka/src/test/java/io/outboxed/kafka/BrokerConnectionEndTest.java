package io.outboxed.kafka;

import static io.outboxed.kafka.Events.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.servers.broker.RealKafka;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No thread of the application goes on after its end, whatever Kafka does. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BrokerConnectionEndTest {
    private static final RealKafka KAFKA = RealKafka.shared();

    /** Of tests before, which may take a moment to end. */
    private final Set<Thread> others = Thread.getAllStackTraces().keySet();

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    @Test
    void no_thread_survives_the_close_while_a_broker_that_does_not_answer_is_asked_for_a_topic() {
        String topic = "end-checking";
        KAFKA.createTopic(topic);
        BrokerConnection connection = connection(topic, Map.of());
        KAFKA.freeze();
        CompletableFuture<PendingSend> begun =
                CompletableFuture.supplyAsync(() -> connection.send(record(topic), LEASE, lease -> true));
        Patience.until("the broker is asked", () -> threads(topic).stream().anyMatch(name -> name.contains("admin")));
        try (LoggedLines log = new LoggedLines()) {
            connection.close();
            assertThat(threads(topic)).isEmpty();
            assertThat(log.with("OUTBOX-0890")).isEmpty();
        }
        assertThatThrownBy(begun::join)
                .cause()
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the application ends");
    }

    @Test
    void no_thread_survives_the_close_of_a_producer_whose_broker_does_not_answer() {
        String topic = "end-sending";
        KAFKA.createTopic(topic);
        BrokerConnection connection = connection(topic, Map.of());
        connection.send(record(topic), LEASE, lease -> true).call();
        KAFKA.freeze();
        connection.send(record(topic), LEASE, lease -> true);
        connection.close();
        assertThat(threads(topic)).isEmpty();
    }

    @Test
    void the_close_waits_for_a_producer_that_was_given_up_and_is_about_to_end() {
        String topic = "end-given-up";
        CountDownLatch hangs = new CountDownLatch(1);
        BrokerConnection connection = withHangingProducer(topic, hangs);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(connection::close);
        Patience.until("the application ends", () -> isClosed(connection, topic));
        hangs.countDown();
        closing.join();
        assertThat(threads(topic)).isEmpty();
    }

    @Test
    void the_close_does_not_wait_for_ever_for_a_producer_that_hangs() {
        CountDownLatch hangs = new CountDownLatch(1);
        try (BrokerConnection connection = withHangingProducer("end-hanging", hangs)) {
            assertThat(connection).isNotNull();
        }
        assertThat(threads("end-hanging")).isNotEmpty();
        hangs.countDown();
        Patience.until("its threads end", () -> threads("end-hanging").isEmpty());
    }

    private BrokerConnection withHangingProducer(String topic, CountDownLatch hangs) {
        KAFKA.createTopic(topic);
        IoThreadInterceptor.nextHangsUntil(hangs);
        BrokerConnection connection = connection(
                topic,
                Map.of(
                        "interceptor.classes", IoThreadInterceptor.class.getName(),
                        "max.block.ms", "5000",
                        "delivery.timeout.ms", "1500",
                        "request.timeout.ms", "1000"));
        PendingSend sent = connection.send(record(topic), LEASE, lease -> true);
        CompletableFuture.runAsync(() -> assertThatThrownBy(sent::call).isInstanceOf(BrokerNotReadyException.class));
        Patience.until("its producer is given up", () -> threads(topic).contains("outbox-kafka-close"));
        return connection;
    }

    private static boolean isClosed(BrokerConnection connection, String topic) {
        try {
            connection.send(record(topic), LEASE, lease -> true);
            return false;
        } catch (BrokerNotReadyException e) {
            return e.getMessage().contains("the application ends");
        }
    }

    /** Ours, and those of Kafka's clients, which are named after the topic. */
    private List<String> threads(String topic) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> !others.contains(each))
                .map(Thread::getName)
                .filter(name -> name.startsWith("outbox-kafka") || name.endsWith(" | " + topic))
                .toList();
    }

    private static BrokerConnection connection(String topic, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("client.id", topic);
        all.putIfAbsent("max.block.ms", "30000");
        return new BrokerConnection(ForwardingNode.settings(KAFKA.address(), topic, all));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, new byte[] {1});
    }
}
