package io.outboxed.kafka;

import static io.outboxed.kafka.Events.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.kafka.RecordSender.PendingSend;
import io.outboxed.servers.broker.RealKafka;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A producer whose thread hangs, in the name service for example. Once it goes on, it may send what is old by then. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungProducerTest {
    private static final RealKafka KAFKA = RealKafka.shared();

    private final CountDownLatch hangs = new CountDownLatch(1);
    /** Of tests before, which may take a moment to end. */
    private final Set<Thread> others = Thread.getAllStackTraces().keySet();

    @AfterEach
    void it_goes_on() {
        hangs.countDown();
        Patience.until("it has ended", () -> !isRunning("outbox-kafka-close"));
    }

    @Test
    void a_call_does_not_end_before_its_producer_although_it_is_interrupted() throws Exception {
        String topic = "hung-call";
        try (BrokerConnection connection = withHangingProducer(topic)) {
            FutureTask<Boolean> producerRunsAtItsEnd = call(connection, topic);
            Thread caller = started(producerRunsAtItsEnd);
            awaitGivenUp(topic);
            // outbox.handler.timeout
            caller.interrupt();
            assertNoSuccessor(connection, topic);

            hangs.countDown();
            assertThat(producerRunsAtItsEnd.get()).isFalse();
        }
    }

    @Test
    void nor_does_a_call_that_is_interrupted_before_its_time_is_over() throws Exception {
        String topic = "hung-interrupted";
        try (BrokerConnection connection = withHangingProducer(topic)) {
            FutureTask<Boolean> producerRunsAtItsEnd = call(connection, topic);
            started(producerRunsAtItsEnd).interrupt();
            awaitGivenUp(topic);
            assertNoSuccessor(connection, topic);

            hangs.countDown();
            assertThat(producerRunsAtItsEnd.get()).isFalse();
        }
    }

    @Test
    void a_call_ends_with_the_application_although_its_producer_hangs() throws Exception {
        String topic = "hung-end";
        BrokerConnection connection = withHangingProducer(topic);
        FutureTask<Boolean> producerRunsAtItsEnd = call(connection, topic);
        started(producerRunsAtItsEnd);
        awaitGivenUp(topic);

        connection.close();
        assertThat(producerRunsAtItsEnd.get()).isTrue();
    }

    @Test
    void it_blocks_no_sender_and_has_no_successor_before_its_end() {
        String topic = "hung-thread";
        try (BrokerConnection connection = withHangingProducer(topic)) {
            started(call(connection, topic));
            awaitGivenUp(topic);
            assertNoSuccessor(connection, topic);

            hangs.countDown();
            Patience.until("a new producer sends", () -> isConfirmed(connection, topic));
        }
    }

    /** @return whether the producer's thread runs when the call ends */
    private FutureTask<Boolean> call(BrokerConnection connection, String topic) {
        PendingSend sent = connection.send(record(topic), LEASE, lease -> true);
        return new FutureTask<>(() -> {
            assertThatThrownBy(sent::call).isInstanceOf(BrokerNotReadyException.class);
            return isRunning("kafka-producer-network-thread | " + topic);
        });
    }

    private static Thread started(Runnable call) {
        Thread caller = new Thread(call, "caller");
        caller.start();
        return caller;
    }

    private void awaitGivenUp(String topic) {
        Patience.until("its producer is given up", () -> isRunning("outbox-kafka-close"));
        assertThat(isRunning("kafka-producer-network-thread | " + topic)).isTrue();
    }

    private static void assertNoSuccessor(BrokerConnection connection, String topic) {
        assertThatThrownBy(() -> connection.send(record(topic), LEASE, lease -> true))
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the previous producer has not ended yet");
    }

    private static boolean isConfirmed(BrokerConnection connection, String topic) {
        try {
            connection.send(record(topic), LEASE, lease -> true).call();
            return true;
        } catch (BrokerNotReadyException e) {
            return false;
        }
    }

    private boolean isRunning(String thread) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(each -> !others.contains(each) && each.getName().equals(thread));
    }

    private BrokerConnection withHangingProducer(String topic) {
        KAFKA.createTopic(topic);
        IoThreadInterceptor.nextHangsUntil(hangs);
        return new BrokerConnection(ForwardingNode.settings(
                KAFKA.address(),
                topic,
                Map.of(
                        "client.id", topic,
                        "interceptor.classes", IoThreadInterceptor.class.getName(),
                        "max.block.ms", "3000",
                        "delivery.timeout.ms", "1500",
                        "request.timeout.ms", "1000")));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic) {
        return new ProducerRecord<>(topic, new byte[] {1});
    }
}
