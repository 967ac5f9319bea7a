package io.outboxed.servers;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.files.ServerDirectory;
import io.outboxed.servers.process.Children;
import io.outboxed.servers.process.ServerFailedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The broker of the demo, and what arrives there, a line for each event. A broker that ends is started again. */
final class DemoKafka implements AutoCloseable {
    /** A constant: without Kafka on the class path this class must not be loaded. */
    static final String ROUTE = "-Doutbox.kafka.route.\"order.*\"=orders";

    private static final String TOPIC = "orders";
    private static final Duration OUTAGE = Duration.ofSeconds(15);

    private final ServerDirectory directory;
    private final RealKafka kafka;
    private final Consumer<String> console;
    private final Duration outage;
    private final CountDownLatch closing = new CountDownLatch(1);

    private DemoKafka(Path directory, Consumer<String> console, Duration outage) {
        this.directory = ServerDirectory.open(directory, "kafka");
        this.kafka = RealKafka.in(this.directory.root());
        this.console = console;
        this.outage = outage;
    }

    static DemoKafka start(Path directory, Consumer<String> console) {
        return start(directory, console, OUTAGE);
    }

    /** @param outage how long a broker that has ended stays down */
    static DemoKafka start(Path directory, Consumer<String> console, Duration outage) {
        DemoKafka started = new DemoKafka(directory, console, outage);
        Children.endAtExit(started);
        started.kafka.createTopicIfMissing(TOPIC);
        KafkaConsumer<String, byte[]> consumer = started.consumer();
        inBackground("the demo's consumer", () -> started.showWhatArrives(consumer));
        inBackground("the demo's broker", started::startAgain);
        return started;
    }

    Map<String, String> environment() {
        return Map.of("OUTBOX_KAFKA_BOOTSTRAP_SERVERS", kafka.address());
    }

    String howToTry() {
        return """
                Kafka is at %s. What arrives in its topic "%s" is shown below, a line for each event.
                Kill the broker and place orders: they are accepted, and their events arrive when it is back.

                  kill -9 $(cat %s)
                """.formatted(kafka.address(), TOPIC, kafka.pidFile());
    }

    /** For what arrives from now on: the topic is kept from one demo to the next. */
    private KafkaConsumer<String, byte[]> consumer() {
        KafkaConsumer<String, byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.address()), new StringDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(TOPIC).stream()
                .map(each -> new TopicPartition(TOPIC, each.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
        return consumer;
    }

    private void showWhatArrives(KafkaConsumer<String, byte[]> consumer) {
        try (consumer) {
            while (!isClosing()) {
                consumer.poll(Duration.ofMillis(500)).forEach(record -> console.accept(line(record)));
            }
        }
    }

    private static String line(ConsumerRecord<String, byte[]> record) {
        Header type = record.headers().lastHeader("ce_type");
        return "Kafka: topic " + record.topic() + ", key " + record.key() + ", ce_type "
                + (type == null ? "-" : new String(type.value(), StandardCharsets.UTF_8)) + ", offset "
                + record.partition() + "/" + record.offset();
    }

    private void startAgain() {
        while (true) {
            kafka.awaitEnd();
            if (isClosing()) {
                return;
            }
            console.accept(
                    "Kafka: the broker has ended. Orders are still accepted, and their events wait. It is started"
                            + " again in " + outage.toSeconds() + " s");
            if (isClosingWithin(outage)) {
                return;
            }
            if (isStarted()) {
                console.accept("Kafka: the broker is back. What has waited arrives in a few seconds");
            }
        }
    }

    /** Not if it ends before it is ready, perhaps because it was killed once more. */
    private boolean isStarted() {
        try {
            kafka.start();
            return true;
        } catch (ServerFailedException e) {
            if (!isClosing()) {
                console.accept("Kafka: the broker could not be started. " + e.getMessage());
            }
            return false;
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    private boolean isClosingWithin(Duration time) {
        try {
            return closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static void inBackground(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        Children.forget(this);
        closing.countDown();
        kafka.close();
        directory.close();
    }
}
