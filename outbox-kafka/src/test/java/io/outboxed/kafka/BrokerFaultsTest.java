package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.broker.TopicReader;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Broker and forwarders are killed while events are forwarded: none is lost, none is out of order, duplicates are
 * counted. {@code -Dkafka.records=500000 -Dkafka.faults=30 -Dsurefire.timeout=0} for the long run.
 */
class BrokerFaultsTest {
    private static final int RECORDS = Integer.getInteger("kafka.records", 4_000);
    private static final int FAULTS = Integer.getInteger("kafka.faults", 2);
    private static final int MOST_DEATHS = FAULTS + 8;
    private static final int AGGREGATES = 200;
    private static final RealKafka KAFKA = RealKafka.shared();

    @AfterEach
    void the_broker_runs() {
        KAFKA.start();
    }

    @Test
    void kills_of_the_broker_lose_and_reorder_nothing() throws SQLException {
        killTheOnlyBroker("broker-faults", false);
    }

    /** What was sent is in the topic; whether Kafka shows all of it to consumers is up to Kafka, see below. */
    @Test
    void kills_of_the_only_broker_in_strict_mode_lose_and_reorder_nothing_that_is_sent() throws SQLException {
        killTheOnlyBroker("broker-faults-strict-alone", true);
    }

    private static void killTheOnlyBroker(String topic, boolean strict) throws SQLException {
        int published = forward(KAFKA, topic, strict, (fault, stored) -> {
            KAFKA.kill();
            return () -> stored.deferred() > 0;
        });

        assertThat(check(KAFKA, topic, TopicHistory.of(KAFKA, topic), published).backwards())
                .as("what a living forwarder has recorded is not sent again")
                .isEmpty();
    }

    /**
     * One broker of three: while no replica of a partition is left, Kafka may lose what a transaction has committed
     * (<a href="https://github.com/apache/kafka/pull/22680">KAFKA-20734</a>).
     */
    @Test
    void kills_of_a_broker_in_strict_mode_lose_and_reorder_nothing() throws SQLException {
        String topic = "broker-faults-strict";
        try (RealKafka kafka = RealKafka.cluster(3)) {
            int published = forward(kafka, topic, true, (fault, stored) -> {
                kafka.kill(fault % kafka.size());
                return () -> stored.left() == 0;
            });

            assertThat(check(kafka, topic, TopicHistory.committed(kafka, topic), published)
                            .backwards())
                    .as("what a living forwarder has recorded is not sent again")
                    .isEmpty();
        }
    }

    @FunctionalInterface
    private interface Kill {
        /** @return until when it stays dead */
        BooleanSupplier broker(int fault, StoredEvents stored);
    }

    /** @return how many events were published, and are forwarded */
    private static int forward(RealKafka kafka, String topic, boolean strict, Kill kill) throws SQLException {
        kafka.createTopic(topic);
        int ofEach = RECORDS / AGGREGATES;
        int inEachRound = ofEach / (FAULTS + 1) - 1;
        KafkaSettings settings = ForwardingNode.settings(kafka.address(), topic, strict, Map.of());
        try (StoredEvents stored = StoredEvents.inH2();
                ForwardingNode node = new ForwardingNode(stored::open, settings)) {
            assertThat(node).isNotNull();
            int number = 1;
            for (int fault = 0; fault < FAULTS; fault++) {
                stored.publish(AGGREGATES, inEachRound, number);
                number += inEachRound;
                int half = inEachRound * AGGREGATES / 2;
                Patience.until("half of the events are forwarded", () -> stored.left() <= half);
                Patience.until("the last outage is over", () -> stored.deferred() == 0);
                BooleanSupplier end = kill.broker(fault, stored);
                stored.publish(AGGREGATES, 1, number);
                number++;
                Patience.until("the kill has had its effect", end);
                kafka.start();
            }
            stored.publish(AGGREGATES, ofEach - number + 1, number);
            Patience.until("all events are forwarded", () -> stored.left() == 0);
            assertThat(stored.dead()).isZero();
        }
        return ofEach * AGGREGATES;
    }

    @Test
    void forwarders_that_die_after_the_confirmation_repeat_only_what_was_not_recorded()
            throws SQLException, IOException {
        String topic = "forwarder-faults";
        KAFKA.createTopic(topic);
        int ofEach = Math.max(4, RECORDS / 10 / AGGREGATES);
        int published = ofEach * AGGREGATES;
        List<Map<UUID, Integer>> recorded = new ArrayList<>();
        try (StoredEvents stored = StoredEvents.inH2()) {
            stored.publish(AGGREGATES, ofEach, 1);
            // on a busy machine one may die before it has recorded anything
            while (recorded.size() < FAULTS || last(recorded).isEmpty() && recorded.size() < MOST_DEATHS) {
                assertThat(Forwarders.run(stored, KAFKA, topic, 100 + 50 * recorded.size()))
                        .isEqualTo(ForwarderProgram.DEAD);
                Map<UUID, Integer> arrivals = arrivals(topic);
                Set<UUID> left = stored.ids();
                assertThat(left).isNotEmpty();
                arrivals.keySet().removeAll(left);
                assertThat(arrivals).as("what is recorded has arrived").hasSize(published - left.size());
                recorded.add(arrivals);
            }
            assertThat(last(recorded)).isNotEmpty();
            try (ForwardingNode node = new ForwardingNode(
                    stored::open, ForwardingNode.settings(KAFKA.address(), topic, false, Map.of()))) {
                assertThat(node).isNotNull();
                Patience.until("all events are forwarded", () -> stored.left() == 0);
            }
            assertThat(stored.dead()).isZero();
        }
        TopicHistory history = check(KAFKA, topic, TopicHistory.of(KAFKA, topic), published);
        assertThat(history.duplicates()).isPositive();
        Map<UUID, Integer> arrivals = arrivals(topic);
        assertThat(recorded)
                .as("what was recorded before a death arrives no more")
                .allSatisfy(before -> assertThat(arrivals).containsAllEntriesOf(before));
        assertThat(history.mostRepetitions())
                .as("each crash repeats the last events of an aggregate once")
                .isLessThanOrEqualTo(recorded.size());
    }

    private static Map<UUID, Integer> last(List<Map<UUID, Integer>> recorded) {
        return recorded.get(recorded.size() - 1);
    }

    /** How often each event has arrived until now. */
    private static Map<UUID, Integer> arrivals(String topic) {
        Map<UUID, Integer> arrivals = new HashMap<>();
        TopicReader.each(KAFKA, topic, each -> arrivals.merge(TopicHistory.id(each), 1, Integer::sum));
        return arrivals;
    }

    private static TopicHistory check(RealKafka kafka, String topic, TopicHistory history, int published) {
        System.out.println(topic + ": " + published + " published, " + history.distinct() + " arrived, "
                + history.duplicates() + " duplicates, " + FAULTS + " faults");
        assertThat(history.distinct())
                .as("of %s that the topic holds, committed or not", TopicHistory.of(kafka, topic))
                .isEqualTo(published);
        assertThat(history.gaps()).isEmpty();
        return history;
    }
}
