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
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Broker and forwarders are killed while events are forwarded: none is lost, none is out of order, duplicates are
 * counted. {@code -Dkafka.records=500000 -Dkafka.faults=30 -Dsurefire.timeout=0} for the long run.
 */
class BrokerFaultsTest {
    private static final int RECORDS = Integer.getInteger("kafka.records", 4_000);
    private static final int FAULTS = Integer.getInteger("kafka.faults", 2);
    private static final int AGGREGATES = 200;
    private static final RealKafka KAFKA = RealKafka.shared();

    @AfterEach
    void the_broker_runs() {
        KAFKA.start();
    }

    @Test
    void kills_of_the_broker_lose_and_reorder_nothing() throws SQLException {
        killBroker("broker-faults", false);
    }

    @Test
    void kills_of_the_broker_in_strict_mode_lose_and_reorder_nothing() throws SQLException {
        killBroker("broker-faults-strict", true);
    }

    private static void killBroker(String topic, boolean strict) throws SQLException {
        KAFKA.createTopic(topic);
        int ofEach = RECORDS / AGGREGATES;
        int inEachRound = ofEach / (FAULTS + 1) - 1;
        try (StoredEvents stored = StoredEvents.inH2();
                ForwardingNode node = new ForwardingNode(stored::open, settings(topic, strict))) {
            assertThat(node).isNotNull();
            int number = 1;
            for (int fault = 0; fault < FAULTS; fault++) {
                stored.publish(AGGREGATES, inEachRound, number);
                number += inEachRound;
                int half = inEachRound * AGGREGATES / 2;
                Patience.until("half of the events are forwarded", () -> stored.left() <= half);
                Patience.until("the last outage is over", () -> stored.deferred() == 0);
                KAFKA.kill();
                stored.publish(AGGREGATES, 1, number);
                number++;
                Patience.until("an event is deferred", () -> stored.deferred() > 0);
                KAFKA.start();
            }
            stored.publish(AGGREGATES, ofEach - number + 1, number);
            Patience.until("all events are forwarded", () -> stored.left() == 0);
            assertThat(stored.dead()).isZero();
        }
        TopicHistory history = strict ? TopicHistory.committed(KAFKA, topic) : TopicHistory.of(KAFKA, topic);
        assertThat(check(topic, history, ofEach * AGGREGATES).backwards())
                .as("what a living forwarder has recorded is not sent again")
                .isEmpty();
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
            for (int fault = 0; fault < FAULTS; fault++) {
                assertThat(Forwarders.run(stored, KAFKA, topic, 100 + 50 * fault))
                        .isEqualTo(ForwarderProgram.DEAD);
                Map<UUID, Integer> arrivals = arrivals(topic);
                Set<UUID> left = stored.ids();
                assertThat(left).isNotEmpty();
                arrivals.keySet().removeAll(left);
                assertThat(arrivals).as("what is recorded has arrived").hasSize(published - left.size());
                recorded.add(arrivals);
            }
            assertThat(recorded).last(InstanceOfAssertFactories.MAP).isNotEmpty();
            try (ForwardingNode node = new ForwardingNode(stored::open, settings(topic, false))) {
                assertThat(node).isNotNull();
                Patience.until("all events are forwarded", () -> stored.left() == 0);
            }
            assertThat(stored.dead()).isZero();
        }
        TopicHistory history = check(topic, TopicHistory.of(KAFKA, topic), published);
        assertThat(history.duplicates()).isPositive();
        Map<UUID, Integer> arrivals = arrivals(topic);
        assertThat(recorded)
                .as("what was recorded before a death arrives no more")
                .allSatisfy(before -> assertThat(arrivals).containsAllEntriesOf(before));
        assertThat(history.mostRepetitions())
                .as("each crash repeats the last events of an aggregate once")
                .isLessThanOrEqualTo(FAULTS);
    }

    /** How often each event has arrived until now. */
    private static Map<UUID, Integer> arrivals(String topic) {
        Map<UUID, Integer> arrivals = new HashMap<>();
        TopicReader.each(KAFKA, topic, each -> arrivals.merge(TopicHistory.id(each), 1, Integer::sum));
        return arrivals;
    }

    private static TopicHistory check(String topic, TopicHistory history, int published) {
        System.out.println(topic + ": " + published + " published, " + history.distinct() + " arrived, "
                + history.duplicates() + " duplicates, " + FAULTS + " faults");
        assertThat(history.distinct())
                .as("of %s that the topic holds, committed or not", TopicHistory.of(KAFKA, topic))
                .isEqualTo(published);
        assertThat(history.gaps()).isEmpty();
        return history;
    }

    private static KafkaSettings settings(String topic, boolean strict) {
        return ForwardingNode.settings(KAFKA.address(), topic, strict, Map.of());
    }
}
