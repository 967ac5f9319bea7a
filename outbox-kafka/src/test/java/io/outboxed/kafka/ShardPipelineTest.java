package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may still be sent after something has taken long or failed. */
@Timeout(120)
class ShardPipelineTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Lease FIRST = new Lease(5, "first node", 1);
    private static final Lease SECOND = new Lease(5, "second node", 2);

    @Test
    void an_event_that_is_given_up_while_its_producer_is_opened_does_not_come_behind_a_later_one() {
        String topic = "line-given-up";
        KafkaSettings settings = settings(topic);
        StrictSend old = event(topic, "1", LONG);
        try (StrictSender successor = new StrictSender(settings)) {
            ShardPipeline line = line(settings, Runnable::run, lease -> {
                giveUp(old);
                // so the node may hand over the shard
                successor.send(record(topic, "1"), SECOND, any -> true).call();
                successor.send(record(topic, "2"), SECOND, any -> true).call();
                return FencingProducer.open(settings, lease, Runnable::run);
            });
            line.add(old);
            line.close();
        }
        assertThat(sent(topic)).containsExactly("1", "2");
    }

    @Test
    void an_event_whose_call_may_end_before_its_transaction_is_not_sent() {
        String topic = "line-too-late";
        KafkaSettings settings = settings(topic);
        ShardPipeline line =
                line(settings, Runnable::run, lease -> FencingProducer.open(settings, lease, Runnable::run));
        StrictSend late = event(topic, "1", settings.longestTransaction());
        StrictSend inTime = event(topic, "2", LONG);
        line.add(late);
        line.add(inTime);
        line.close();
        assertThatThrownBy(late::call)
                .as("it says something about Kafka: the others took long")
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("has waited so long");
        inTime.call();
        assertThat(sent(topic)).containsExactly("2");
    }

    @Test
    void a_producer_that_is_opened_during_the_close_for_an_event_that_is_given_up_is_closed_too() {
        String topic = "line-closed";
        KafkaSettings settings = settings(topic);
        StrictSend event = event(topic, "1", LONG);
        AtomicReference<ShardPipeline> line = new AtomicReference<>();
        line.set(line(settings, Runnable::run, lease -> {
            giveUp(event);
            FencingProducer opened = FencingProducer.open(settings, lease, Runnable::run);
            line.get().close();
            return opened;
        }));
        line.get().add(event);
        assertThat(openProducers(topic)).isEmpty();
    }

    @Test
    void without_a_thread_all_that_wait_are_told_and_none_is_sent_later() {
        String topic = "line-no-thread";
        KafkaSettings settings = settings(topic);
        StrictSend first = event(topic, "1", LONG);
        StrictSend second = event(topic, "2", LONG);
        StrictSend third = event(topic, "3", LONG);
        AtomicReference<Executor> threads = new AtomicReference<>();
        ShardPipeline line = line(
                settings,
                work -> threads.get().execute(work),
                lease -> FencingProducer.open(settings, lease, Runnable::run));
        threads.set(work -> {
            line.add(second);
            throw new OutOfMemoryError("no thread, for a test");
        });
        line.add(first);
        assertThat(List.of(first, second))
                .noneMatch(StrictSend::isWanted)
                .allSatisfy(each -> assertThatThrownBy(each::call)
                        .isInstanceOf(BrokerNotReadyException.class)
                        .hasMessageContaining("there is no thread to send them")
                        .hasMessageContaining("no thread, for a test"));

        threads.set(Runnable::run);
        line.add(third);
        third.call();
        line.close();
        assertThat(sent(topic)).containsExactly("3");
    }

    @Test
    void a_producer_that_is_given_up_is_closed_without_a_thread_too() {
        String topic = "line-no-thread-to-close";
        KafkaSettings settings = settings(topic);
        Executor closing = StrictSender.closing(work -> {
            throw new OutOfMemoryError("no thread, for a test");
        });
        ShardPipeline line = line(settings, Runnable::run, lease -> FencingProducer.open(settings, lease, closing));
        StrictSend first = event(topic, "1", LONG);
        StrictSend second = new StrictSend(record(topic, "2"), SECOND, lease -> true, LONG);
        line.add(first);
        first.call();

        line.add(second);
        second.call();
        assertThat(openProducers(topic)).hasSize(1);

        line.closeIfUnused(Duration.ZERO);
        assertThat(openProducers(topic)).isEmpty();
        assertThat(sent(topic)).containsExactly("1", "2");
    }

    @Test
    void events_whose_transaction_is_broken_off_by_an_error_are_told_at_once() {
        String topic = "line-broken-off";
        KafkaSettings settings = settings(topic);
        ShardPipeline line =
                line(settings, Runnable::run, lease -> FencingProducer.open(settings, lease, Runnable::run));
        StrictSend first = new StrictSend(
                record(topic, "1"),
                FIRST,
                lease -> {
                    throw new OutOfMemoryError("for a test");
                },
                LONG);
        StrictSend second = event(topic, "2", LONG);
        line.add(first);
        assertThat(first.isWanted()).isFalse();
        assertThatThrownBy(first::call)
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("was broken off")
                .hasMessageContaining("for a test");

        line.add(second);
        second.call();
        line.close();
        assertThat(sent(topic)).containsExactly("2");
    }

    @Test
    void later_events_are_sent_although_telling_those_of_a_broken_transaction_has_failed_too() {
        String topic = "line-broken-twice";
        KafkaSettings settings = settings(topic);
        List<Throwable> endedThreads = new ArrayList<>();
        Executor threads = work -> {
            try {
                work.run();
            } catch (OutOfMemoryError e) {
                endedThreads.add(e);
            }
        };
        ShardPipeline line = line(settings, threads, lease -> FencingProducer.open(settings, lease, Runnable::run));
        StrictSend first = new StrictSend(
                record(topic, "1"),
                FIRST,
                lease -> {
                    throw new WithoutAMessage();
                },
                LONG);
        line.add(first);
        assertThat(endedThreads).hasSize(1);

        StrictSend second = event(topic, "2", LONG);
        line.add(second);
        second.call();
        line.close();
        assertThat(sent(topic)).containsExactly("2");
    }

    /** No memory is left for its message either. */
    private static final class WithoutAMessage extends OutOfMemoryError {
        @Override
        public String getMessage() {
            throw new OutOfMemoryError("for a test");
        }
    }

    private static List<String> openProducers(String topic) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("kafka-producer-network-thread | " + topic))
                .toList();
    }

    /** As a worker that is interrupted. */
    private static void giveUp(StrictSend event) {
        Thread.currentThread().interrupt();
        assertThatThrownBy(event::call).isInstanceOf(BrokerNotReadyException.class);
    }

    private static ShardPipeline line(
            KafkaSettings settings, Executor threads, Function<Lease, FencingProducer> opener) {
        StrictFailures failures = new StrictFailures(
                settings,
                new WritableTopics(settings, topics -> Map.of()),
                new TransactionCheck(settings, Runnable::run));
        return new ShardPipeline(opener, threads, failures, settings.longestTransaction());
    }

    private static KafkaSettings settings(String topic) {
        KAFKA.createTopic(topic);
        return ForwardingNode.settings(KAFKA.address(), topic, true, Map.of("max.block.ms", "10000"));
    }

    private static StrictSend event(String topic, String value, Duration longest) {
        return new StrictSend(record(topic, value), FIRST, lease -> true, longest);
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, 0, bytes, bytes);
    }

    private static List<String> sent(String topic) {
        return TopicReader.all(KAFKA, topic).stream()
                .map(each -> new String(each.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
