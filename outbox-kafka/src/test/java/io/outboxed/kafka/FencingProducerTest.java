package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.servers.broker.RealKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a transaction goes on that can't be committed. */
@Timeout(120)
class FencingProducerTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Runnable NOTHING = () -> {};

    @AfterEach
    void the_broker_runs() {
        KAFKA.thaw();
    }

    @Test
    void without_metadata_one_record_waits_and_not_each() {
        String topic = "fencing-no-metadata";
        FencingProducer producer = open(topic);
        Sends.begin(NOTHING);
        KAFKA.freeze();
        Optional<Throwable> failure = producer.send(records(topic));
        KAFKA.thaw();
        producer.close();
        assertThat(failure).containsInstanceOf(RetriableException.class);
        assertThat(Sends.COUNT).hasValue(1);
    }

    @Test
    void when_the_time_is_over_no_further_record_is_sent() {
        String topic = "fencing-time";
        FencingProducer producer = open(topic);
        long begun = System.nanoTime();
        Duration longer = settings(topic).longestSend().plusSeconds(1);
        Sends.begin(() -> Patience.until("the time is over", () -> System.nanoTime() - begun > longer.toNanos()));
        Optional<Throwable> failure = producer.send(records(topic));
        producer.close();
        assertThat(failure).containsInstanceOf(TimeoutException.class);
        assertThat(Sends.COUNT).hasValue(1);
    }

    private static FencingProducer open(String topic) {
        KAFKA.createTopic(topic);
        return FencingProducer.open(settings(topic), new Lease(5, "me", 1), Runnable::run);
    }

    private static KafkaSettings settings(String topic) {
        return ForwardingNode.settings(
                KAFKA.address(),
                topic,
                true,
                Map.of(
                        "interceptor.classes", Sends.class.getName(),
                        "max.block.ms", "5000",
                        "delivery.timeout.ms", "1500",
                        "request.timeout.ms", "1000"));
    }

    private static List<ProducerRecord<byte[], byte[]>> records(String topic) {
        return List.of(
                new ProducerRecord<>(topic, new byte[] {1}),
                new ProducerRecord<>(topic, new byte[] {2}),
                new ProducerRecord<>(topic, new byte[] {3}));
    }

    /** Created by the producer. */
    public static final class Sends implements ProducerInterceptor<byte[], byte[]> {
        private static final AtomicInteger COUNT = new AtomicInteger();
        private static volatile Runnable first = NOTHING;

        static void begin(Runnable duringTheFirst) {
            COUNT.set(0);
            first = duringTheFirst;
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            if (COUNT.getAndIncrement() == 0) {
                first.run();
            }
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception failure) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> settings) {}
    }
}
