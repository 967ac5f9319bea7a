package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * W10: how fast do committed rows arrive in Kafka, by the relay and by Debezium, and what does it cost? A producer
 * without a database is the limit. Not part of {@code mvn verify}: {@code mvn -Pdebezium -pl outbox-debezium -am
 * -Dtest=ForwardingRatesRun},
 * and docs/kafka.md for what came out.
 */
class ForwardingRatesRun {
    private static final int RECORDS = Integer.getInteger("rates.records", 100_000);
    private static final int ROUNDS = Integer.getInteger("rates.rounds", 3);
    private static final int PACED = Integer.getInteger("rates.paced", 4_000);
    private static final Duration BETWEEN_PACED = Duration.ofMillis(5);
    private static final Duration MEASURED_WITHIN = Duration.ofMinutes(10);
    private static final int WARM_UPS = 2;
    private static final String PAYLOAD = "{\"note\":\"" + "x".repeat(239) + "\"}";
    private static final String MARK = "at ";

    @FunctionalInterface
    private interface Start {
        Sender in(Topic topic) throws SQLException, IOException;
    }

    private record Measured(double perSecond, double senderMicros, double databaseMicros, List<Long> travelMillis) {

        long percentile(int percent) {
            List<Long> sorted = travelMillis.stream().sorted().toList();
            return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
        }
    }

    @Test
    void postgresql() throws Exception {
        run("PostgreSQL", CapturedDatabase::postgreSql);
    }

    @Test
    void mysql() throws Exception {
        run("MySQL", CapturedDatabase::mySql);
    }

    @FunctionalInterface
    private interface NewDatabase {
        CapturedDatabase start() throws IOException;
    }

    private static void run(String name, NewDatabase database) throws Exception {
        Map<String, Start> senders = new LinkedHashMap<>();
        senders.put("a plain producer, no database", PlainSender::new);
        senders.put("the forwarder", topic -> RowSender.relay(database.start(), topic));
        senders.put("Debezium", topic -> RowSender.debezium(database.start(), topic));
        Map<String, List<Measured>> results = new LinkedHashMap<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (Map.Entry<String, Start> sender : senders.entrySet()) {
                Measured measured = measure(sender.getValue());
                results.computeIfAbsent(sender.getKey(), any -> new ArrayList<>())
                        .add(measured);
                System.out.println(name + ", round " + round + ": " + row(sender.getKey(), List.of(measured)));
            }
        }
        StringBuilder table = new StringBuilder("| " + name
                + " | records a second | sender, µs a record | database, µs a record | p50, ms | p99, ms |\n"
                + "|---|---|---|---|---|---|\n");
        results.forEach((sender, all) -> table.append(row(sender, all)).append('\n'));
        Files.writeString(Path.of("target", "kafka-rates-" + name.toLowerCase(Locale.ROOT) + ".md"), table);
        System.out.println(table);
    }

    private static Measured measure(Start start) throws Exception {
        try (Topic topic = Topic.inNewBroker();
                Sender sender = start.in(topic)) {
            for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
                burst(sender, topic);
            }
            Sender.Release release = sender.prepare(RECORDS, PAYLOAD);
            long expected = topic.size() + RECORDS;
            double senderBefore = ProcessorTime.micros(sender.process());
            double databaseBefore = ProcessorTime.micros(sender.database());
            long begin = System.nanoTime();
            release.now();
            Patience.until("all records have arrived", MEASURED_WITHIN, () -> topic.size() >= expected);
            double seconds = (System.nanoTime() - begin) / 1e9;
            Patience.until("the sender is idle", MEASURED_WITHIN, sender::isIdle);
            double senderMicros = ProcessorTime.micros(sender.process()) - senderBefore;
            double databaseMicros = ProcessorTime.micros(sender.database()) - databaseBefore;
            assertThat(topic.size())
                    .as("without a fault, nothing is sent twice")
                    .isEqualTo(expected);
            return new Measured(
                    RECORDS / seconds, senderMicros / RECORDS, databaseMicros / RECORDS, paced(sender, topic));
        }
    }

    private static void burst(Sender sender, Topic topic) throws SQLException {
        long expected = topic.size() + RECORDS;
        sender.prepare(RECORDS, PAYLOAD).now();
        Patience.until("all records have arrived", MEASURED_WITHIN, () -> topic.size() >= expected);
        Patience.until("the sender is idle", MEASURED_WITHIN, sender::isIdle);
    }

    private static List<Long> paced(Sender sender, Topic topic) throws SQLException {
        long expected = topic.size() + PACED;
        long begin = System.nanoTime();
        for (int event = 0; event < PACED; event++) {
            long due = begin + event * BETWEEN_PACED.toNanos();
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            sender.send(event % Topic.KEYS, MARK + System.currentTimeMillis());
        }
        Patience.until("all paced records have arrived", MEASURED_WITHIN, () -> topic.size() >= expected);
        return topic.travelTimes(MARK);
    }

    private static String row(String sender, List<Measured> all) {
        return Stream.of(
                        sender,
                        Spread.of(all, Measured::perSecond),
                        Spread.of(all, Measured::senderMicros),
                        Spread.of(all, Measured::databaseMicros),
                        Spread.of(all, each -> each.percentile(50)),
                        Spread.of(all, each -> each.percentile(99)))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }
}
