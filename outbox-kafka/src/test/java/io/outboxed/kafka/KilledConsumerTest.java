package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.broker.TopicReader;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.process.ServerProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * From the outbox of one application through Kafka to the tables of another one, all in processes of their own. A seed
 * decides when they are killed: {@code -Dkafka.seed=} repeats it, as far as processes can repeat.
 */
class KilledConsumerTest {
    private static final long SEED = Long.getLong("kafka.seed", System.nanoTime());
    private static final String TOPIC = "killed-consumer";
    private static final int AGGREGATES = 80;
    private static final int OF_EACH = 3;
    private static final int AT_ONCE = AGGREGATES * OF_EACH;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final RealKafka KAFKA = RealKafka.shared();

    private enum Killed {
        CONSUMER,
        FORWARDER,
        BROKER
    }

    private final Random random = new Random(SEED);
    private final List<String> delivered = new ArrayList<>();
    private final StringBuilder log = new StringBuilder();
    private RealPostgres server;
    private Connection bills;
    private StoredEvents stored;
    private ServerProcess forwarder;
    private ServerProcess consumer;
    private int consumersKilled;
    private int published;

    @BeforeEach
    void start() throws SQLException, IOException {
        KAFKA.createTopic(TOPIC);
        server = RealPostgres.start();
        bills = StoredEvents.open(server.url());
        try (Statement statement = bills.createStatement()) {
            statement.execute(
                    "CREATE TABLE bill (bill_id BIGSERIAL PRIMARY KEY, order_id VARCHAR(20), details VARCHAR(20))");
        }
        stored = StoredEvents.inH2();
        startForwarder();
    }

    @AfterEach
    void end() throws SQLException {
        Stream.of(consumer, forwarder).filter(Objects::nonNull).forEach(ServerProcess::kill);
        KAFKA.start();
        stored.close();
        bills.close();
        server.close();
    }

    @Test
    void each_event_has_one_effect_in_order_although_consumer_forwarder_and_broker_are_killed() throws Exception {
        List<Set<Killed>> rounds = rounds();
        System.out.println("seed " + SEED + ", to be killed: " + rounds);
        startConsumer(true);
        publish();
        consumer.awaitLogged(ConsumerProgram.BEFORE_COMMIT);
        int certainlyRepeated = billed();
        killConsumer();

        for (Set<Killed> round : rounds) {
            startConsumer(false);
            int before = billed();
            int more = random.nextInt(AT_ONCE);
            int left = random.nextInt(AT_ONCE);
            publish();
            Patience.until("some events are billed", () -> billed() > before + more);
            publish();
            Patience.until("some events are forwarded", () -> stored.left() <= left);
            kill(round);
        }
        startConsumer(false);
        Patience.until("all events are forwarded", () -> stored.left() == 0);
        int records = TopicReader.all(KAFKA, TOPIC).size();
        Patience.until("all records are consumed", () -> committed() == records);
        assertThat(consumer.stop()).as("it ends when it is asked").isTrue();
        assertThat(consumer.logged()).contains(ConsumerProgram.STOPPED);
        collectLog();

        int repeated = delivered.size() - new HashSet<>(delivered).size();
        System.out.println(consumersKilled + " consumers killed, " + published + " published, "
                + TopicHistory.of(KAFKA, TOPIC).duplicates() + " forwarded again, " + repeated + " delivered again, "
                + billed() + " billed");
        assertThat(effects()).isEqualTo(published());
        assertThat(log).as("it went on after an exception").contains(ConsumerProgram.FAILED);
        assertThat(repeated).isGreaterThanOrEqualTo(certainlyRepeated).isPositive();
        assertThat(stored.dead()).isZero();
    }

    /** In one of them the consumer outlives the broker. */
    private List<Set<Killed>> rounds() {
        List<Set<Killed>> rounds = new ArrayList<>(List.of(
                EnumSet.of(Killed.CONSUMER),
                EnumSet.of(Killed.CONSUMER),
                EnumSet.of(Killed.CONSUMER, Killed.FORWARDER),
                EnumSet.of(Killed.CONSUMER, Killed.BROKER),
                EnumSet.of(Killed.FORWARDER, Killed.BROKER)));
        Collections.shuffle(rounds, random);
        return rounds;
    }

    private void publish() throws SQLException {
        stored.publish(AGGREGATES, OF_EACH, published / AGGREGATES + 1);
        published += AT_ONCE;
    }

    private void startForwarder() throws IOException {
        forwarder = Forwarders.start(stored, KAFKA, TOPIC, LEASE, List.of());
    }

    private void startConsumer(boolean stopsBeforeCommit) throws IOException {
        if (consumer == null || !consumer.isAlive()) {
            consumer = ConsumerProgram.start(server, KAFKA, TOPIC, stopsBeforeCommit)
                    .awaitLogged(ConsumerProgram.READY);
        }
    }

    private void kill(Set<Killed> what) throws IOException {
        if (what.contains(Killed.BROKER)) {
            KAFKA.kill();
        }
        if (what.contains(Killed.CONSUMER)) {
            killConsumer();
        }
        if (what.contains(Killed.FORWARDER)) {
            forwarder.kill();
            startForwarder();
        }
        KAFKA.start();
    }

    private void killConsumer() {
        consumer.kill();
        consumersKilled++;
        collectLog();
    }

    private void collectLog() {
        log.append(consumer.logged());
        consumer.logged()
                .lines()
                .filter(line -> line.startsWith(ConsumerProgram.BILLED))
                .forEach(delivered::add);
    }

    private int billed() {
        try (Statement statement = bills.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM bill")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long committed() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.address()))) {
            return admin.listConsumerGroupOffsets(TOPIC).partitionsToOffsetAndMetadata().get().values().stream()
                    .mapToLong(OffsetAndMetadata::offset)
                    .sum();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The numbers of each aggregate's events, in the order of their effects. */
    private Map<String, List<Integer>> effects() throws SQLException {
        Map<String, List<Integer>> effects = new HashMap<>();
        try (Statement statement = bills.createStatement();
                ResultSet row = statement.executeQuery("SELECT order_id, details FROM bill ORDER BY bill_id")) {
            while (row.next()) {
                effects.computeIfAbsent(row.getString(1), order -> new ArrayList<>())
                        .add(row.getInt(2));
            }
        }
        return effects;
    }

    private Map<String, List<Integer>> published() {
        List<Integer> numbers =
                IntStream.rangeClosed(1, published / AGGREGATES).boxed().toList();
        return IntStream.range(0, AGGREGATES).boxed().collect(Collectors.toMap(i -> "o-" + i, i -> numbers));
    }
}
