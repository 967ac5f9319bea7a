package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.process.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/**
 * What strict order costs: one forwarder, PostgreSQL and one broker in processes of their own. Not part of {@code mvn
 * verify}: docs/kafka.md has the command, and what came out.
 */
class StrictRatesRun {
    private static final int EVENTS = Integer.getInteger("rates.records", 40_000);
    private static final int ROUNDS = Integer.getInteger("rates.rounds", 3);
    private static final int PACED = Integer.getInteger("rates.paced", 1_000);
    private static final int AGGREGATES = 1_000;
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration BETWEEN_PACED = Duration.ofMillis(10);
    private static final Duration MEASURED_WITHIN = Duration.ofMinutes(10);
    private static final String PAYLOAD = "{\"note\":\"" + "x".repeat(239) + "\"}";

    private record Measured(double perSecond, List<Long> travelMillis) {

        double percentile(int percent) {
            List<Long> sorted = travelMillis.stream().sorted().toList();
            return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
        }
    }

    @Test
    void with_and_without_strict_order() throws SQLException, IOException {
        List<Measured> plain = new ArrayList<>();
        List<Measured> strict = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            plain.add(measure(false));
            strict.add(measure(true));
        }
        String table = "| strict | events a second | p50, ms | p99, ms |\n|---|---|---|---|\n" + row("no", plain)
                + row("yes", strict);
        Files.writeString(Path.of("target", "strict-rates.md"), table);
        System.out.println(table);
    }

    private static Measured measure(boolean strict) throws SQLException, IOException {
        String topic = "rates";
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredEvents stored = StoredEvents.in(RealPostgres.start());
                Connection publisher = stored.open()) {
            publisher.setAutoCommit(false);
            kafka.createTopic(topic);
            ServerProcess forwarder =
                    Forwarders.start(stored, kafka, topic, LEASE, strict ? List.of("strict=true") : List.of());
            try {
                backlog(stored, publisher);
                Measured measured = new Measured(backlog(stored, publisher), paced(kafka, topic, stored, publisher));
                System.out.println(row(strict ? "yes" : "no", List.of(measured)));
                return measured;
            } finally {
                forwarder.kill();
            }
        }
    }

    /** All become visible with one commit. */
    private static double backlog(StoredEvents stored, Connection publisher) throws SQLException {
        for (int inserted = 0; inserted < EVENTS; inserted += AGGREGATES) {
            stored.insert(publisher, 0, AGGREGATES, aggregate -> PAYLOAD);
        }
        publisher.commit();
        long begin = System.nanoTime();
        Patience.until("all events are forwarded", MEASURED_WITHIN, () -> stored.left() == 0);
        return EVENTS / ((System.nanoTime() - begin) / 1e9);
    }

    /** From before the commit of an event until a consumer of committed records has it. */
    private static List<Long> paced(RealKafka kafka, String topic, StoredEvents stored, Connection publisher)
            throws SQLException {
        List<Long> travelled = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", kafka.address(),
                        "group.id", "rates",
                        "auto.offset.reset", "latest",
                        "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            Patience.until("the consumer has its partitions", () -> {
                consumer.poll(Duration.ofMillis(10));
                return !consumer.assignment().isEmpty();
            });
            consumer.assignment().forEach(consumer::position);
            long begin = System.nanoTime();
            for (int event = 0; event < PACED; event++) {
                long due = begin + event * BETWEEN_PACED.toNanos();
                while (System.nanoTime() < due) {
                    collect(consumer, travelled);
                }
                stored.insert(publisher, event % AGGREGATES, 1, any -> String.valueOf(System.nanoTime()));
                publisher.commit();
            }
            Patience.until("all paced events have arrived", () -> {
                collect(consumer, travelled);
                return travelled.size() >= PACED;
            });
        }
        return travelled;
    }

    private static void collect(KafkaConsumer<byte[], byte[]> consumer, List<Long> travelled) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(1))) {
            long sent = Long.parseLong(new String(record.value(), StandardCharsets.UTF_8));
            travelled.add((System.nanoTime() - sent) / 1_000_000);
        }
    }

    private static String row(String strict, List<Measured> all) {
        return "| " + strict + " | " + Spread.of(all, Measured::perSecond) + " | "
                + Spread.of(all, each -> each.percentile(50)) + " | " + Spread.of(all, each -> each.percentile(99))
                + " |\n";
    }
}
