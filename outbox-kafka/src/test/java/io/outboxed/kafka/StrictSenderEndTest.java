package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.servers.broker.RealKafka;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nothing of the application goes on after its end. */
@Timeout(120)
class StrictSenderEndTest {
    private static final RealKafka KAFKA = RealKafka.shared();

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    @Test
    void a_closed_sender_asks_no_broker() {
        StrictSender sender = sender("end-not-there");
        sender.close();
        assertThatThrownBy(() -> sender.send(record("end-not-there"), lease(1), lease -> true))
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the application ends");
    }

    @Test
    void no_thread_survives_the_close_even_if_it_waits_for_a_broker() {
        String topic = "end-opening";
        KAFKA.createTopic(topic);
        Set<Thread> others = threads();
        StrictSender sender = sender(topic);
        sender.send(record(topic), lease(1), lease -> true).call();
        KAFKA.freeze();
        PendingSend event = sender.send(record(topic), lease(2), lease -> true);
        Patience.until(
                "its producer is being opened", () -> own(others).stream().anyMatch(StrictSenderEndTest::opens));
        try (LoggedLines log = new LoggedLines()) {
            sender.close();
            // a pool counts as ended while its last thread is about to
            Patience.until("its own threads have ended", () -> own(others).isEmpty());
            assertThat(log.with("OUTBOX-0890")).isEmpty();
        }
        assertThatThrownBy(event::call)
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the application ends");
    }

    @Test
    void no_thread_survives_the_close_while_a_broker_that_does_not_answer_is_asked_for_a_topic() {
        String topic = "end-strict-checking";
        KAFKA.createTopic(topic);
        Set<Thread> others = threads();
        StrictSender sender = sender(topic);
        KAFKA.freeze();
        CompletableFuture<PendingSend> begun =
                CompletableFuture.supplyAsync(() -> sender.send(record(topic), lease(1), lease -> true));
        Patience.until("the broker is asked", () -> isRunning("kafka-admin-client-thread | " + topic));
        try (LoggedLines log = new LoggedLines()) {
            sender.close();
            assertThat(isRunning("kafka-admin-client-thread | " + topic)).isFalse();
            Patience.until("its own threads have ended", () -> own(others).isEmpty());
            assertThat(log.with("OUTBOX-0890")).isEmpty();
        }
        assertThatThrownBy(begun::join)
                .cause()
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the application ends");
    }

    private static boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> each.getName().equals(thread));
    }

    private static Set<Thread> own(Set<Thread> others) {
        Set<Thread> own = new HashSet<>(threads());
        own.removeAll(others);
        return own;
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("outbox-kafka"))
                .collect(Collectors.toSet());
    }

    private static boolean opens(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(each -> each.getMethodName().equals("initTransactions"));
    }

    private static Lease lease(long epoch) {
        return new Lease(5, "me", epoch);
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, new byte[] {1});
    }

    private static StrictSender sender(String topic) {
        return new StrictSender(ForwardingNode.settings(KAFKA.address(), topic, true, Map.of("max.block.ms", "30000")));
    }
}
