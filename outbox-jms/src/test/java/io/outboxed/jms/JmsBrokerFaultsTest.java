package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Broker and forwarders are killed while events are forwarded: none is lost, none is out of order, duplicates are counted. */
class JmsBrokerFaultsTest {
    private static final int AGGREGATES = 100;
    private static final int FAULTS = 2;
    private static final int MOST_DEATHS = FAULTS + 4;
    private static final RealArtemis BROKER = RealArtemis.shared();

    @AfterEach
    void the_broker_runs() {
        BROKER.start();
    }

    @Test
    void kills_of_the_broker_lose_and_reorder_nothing() throws SQLException, JMSException {
        bind("broker-faults");
        int inEachRound = 6;
        int number = 0;
        try (StoredEvents stored = new StoredEvents();
                ForwardingNode node = node(stored)) {
            for (int fault = 0; fault < FAULTS; fault++) {
                stored.publish(AGGREGATES, number + 1, number + inEachRound);
                number += inEachRound;
                Patience.until("half of the events are forwarded", () -> stored.left() <= inEachRound * AGGREGATES / 2);
                Patience.until("the last outage is over", () -> stored.deferred() == 0);
                BROKER.kill();
                stored.publish(AGGREGATES, number + 1, number + 1);
                number++;
                Patience.until("an event is deferred", () -> stored.deferred() > 0);
                BROKER.start();
            }
            Patience.until("all events are forwarded", () -> stored.left() == 0);
            assertThat(node.countedFailures()).isZero();
            assertThat(stored.dead()).isZero();
        }
        assertThat(check("broker-faults", number * AGGREGATES).backwards())
                .as("what a living forwarder has recorded is not sent again")
                .isEmpty();
    }

    @Test
    void forwarders_that_die_after_the_confirmation_repeat_only_what_was_not_recorded()
            throws SQLException, IOException, JMSException {
        bind("forwarder-faults");
        int ofEach = 5;
        int published = ofEach * AGGREGATES;
        List<Map<UUID, Integer>> recorded = new ArrayList<>();
        try (StoredEvents stored = new StoredEvents()) {
            stored.publish(AGGREGATES, 1, ofEach);
            // on a busy machine one may die before it has recorded anything
            while (recorded.size() < FAULTS || last(recorded).isEmpty() && recorded.size() < MOST_DEATHS) {
                assertThat(ForwarderProgram.run(stored, BROKER, "forwarder-faults", 100 + 50 * recorded.size()))
                        .isEqualTo(ForwarderProgram.DEAD);
                Map<UUID, Integer> arrivals = arrivals("forwarder-faults");
                Set<UUID> left = stored.ids();
                assertThat(left).isNotEmpty();
                arrivals.keySet().removeAll(left);
                assertThat(arrivals).as("what is recorded has arrived").hasSize(published - left.size());
                recorded.add(arrivals);
            }
            assertThat(last(recorded)).isNotEmpty();
            try (ForwardingNode node = node(stored)) {
                assertThat(node).isNotNull();
                Patience.until("all events are forwarded", () -> stored.left() == 0);
            }
            assertThat(stored.dead()).isZero();
        }
        assertThat(check("forwarder-faults", published).duplicates()).isPositive();
        Map<UUID, Integer> arrivals = arrivals("forwarder-faults");
        assertThat(recorded)
                .as("what was recorded before a death arrives no more")
                .allSatisfy(before -> assertThat(arrivals).containsAllEntriesOf(before));
    }

    private static Map<UUID, Integer> last(List<Map<UUID, Integer>> recorded) {
        return recorded.get(recorded.size() - 1);
    }

    /** How often each event has arrived until now. */
    private static Map<UUID, Integer> arrivals(String queue) throws JMSException {
        Map<UUID, Integer> arrivals = new HashMap<>();
        for (Message message : BROKER.messages(queue)) {
            arrivals.merge(UUID.fromString(message.getStringProperty("cloudEvents_id")), 1, Integer::sum);
        }
        return arrivals;
    }

    private static void bind(String queue) {
        Names.bind(Names.FACTORY, BROKER.pool());
        Names.bind(Names.ORDERS, RealArtemis.queue(queue));
    }

    private static ForwardingNode node(StoredEvents stored) {
        return new ForwardingNode(() -> StoredEvents.open(stored.url()), ForwardingNode.settings(), () -> {});
    }

    private static QueueHistory check(String queue, int published) throws JMSException {
        QueueHistory history = QueueHistory.of(BROKER.messages(queue));
        System.out.println(queue + ": " + published + " published, " + history.distinct() + " arrived, "
                + history.duplicates() + " duplicates, " + FAULTS + " faults");
        assertThat(history.distinct()).isEqualTo(published);
        assertThat(history.gaps()).isEmpty();
        return history;
    }
}
