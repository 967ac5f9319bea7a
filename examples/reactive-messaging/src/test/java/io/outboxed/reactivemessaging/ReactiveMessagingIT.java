package io.outboxed.reactivemessaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What docs/reactive-messaging.md promises of its example. Each test has a topic of its own. */
class ReactiveMessagingIT {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int MIB = 1024 * 1024;

    private static RunningExample example;

    @BeforeAll
    static void start() throws SQLException {
        example = new RunningExample();
    }

    @AfterAll
    static void stop() throws SQLException {
        example.close();
    }

    @AfterEach
    void theBrokerRuns() {
        example.kafka.start();
    }

    @Test
    void an_event_arrives_with_its_key_its_id_and_its_type() throws SQLException {
        example.kafka.createTopic("events.one");
        UUID id = example.stored.publish("one", "o-1", "1");
        example.awaitAllDone();

        assertThat(TopicReader.all(example.kafka, "events.one")).singleElement().satisfies(event -> {
            assertThat(event.key()).isEqualTo("o-1");
            assertThat(event.value()).asString(StandardCharsets.UTF_8).isEqualTo("1");
            assertThat(header(event, "id")).isEqualTo(id.toString());
            assertThat(header(event, "type")).isEqualTo("it.happened");
        });
    }

    @Test
    void the_events_of_an_aggregate_arrive_in_order() throws SQLException {
        example.kafka.createTopic("events.ordered");
        example.stored.publish("ordered", 20, 1, 10);
        example.awaitAllDone();

        assertThat(TopicHistory.of(example.kafka, "events.ordered"))
                .isEqualTo(new TopicHistory(200, 0, List.of(), List.of(), List.of()));
    }

    @Test
    void what_the_channel_refuses_is_retried_and_then_a_dead_letter_and_its_aggregate_goes_on() throws SQLException {
        example.kafka.createTopic("events.refused");
        example.stored.publish("refused", "r-1", "1");
        example.stored.publish("refused", "r-1", "1".repeat(2 * MIB));
        example.stored.publish("refused", "r-1", "2");
        example.awaitAllDone();

        assertThat(example.stored.dead("refused")).as("its attempts").containsExactly(3);
        example.assertArrivedInOrder("events.refused", 2);
    }

    @Test
    void events_for_a_missing_topic_wait_without_an_attempt_until_it_exists() throws SQLException {
        example.stored.publish("late", 2, 1, 3);
        example.await("each first event was tried", () -> example.stored.retried() == 2);
        assertThat(example.stored.countedAttempts()).isZero();

        example.kafka.createTopic("events.late");
        example.awaitAllDone();
        assertThat(example.stored.dead("late")).isEmpty();
        example.assertArrivedInOrder("events.late", 6);
    }

    @Test
    void events_for_an_existing_topic_arrive_soon_and_once_while_another_topic_is_missing() throws SQLException {
        example.kafka.createTopic("events.there");
        example.stored.publish("missing", 6, 1, 1);
        example.await("each was tried", () -> example.stored.retried() == 6);

        example.stored.publish("there", 20, 1, 1);
        example.await("only those of the missing topic are left", SOON, () -> example.stored.left() == 6);
        assertThat(TopicHistory.of(example.kafka, "events.there"))
                .isEqualTo(new TopicHistory(20, 0, List.of(), List.of(), List.of()));

        example.kafka.createTopic("events.missing");
        example.awaitAllDone();
    }

    @Test
    void a_broker_that_is_killed_loses_and_reorders_nothing_and_costs_no_attempt() throws SQLException {
        example.kafka.createTopic("events.outage");
        example.stored.publish("outage", 20, 1, 10);
        example.await("some are forwarded", () -> example.stored.left() < 190);
        example.kafka.kill();
        example.stored.publish("outage", 20, 11, 20);
        example.await("some were tried", () -> example.stored.retried() >= 4);
        assertThat(example.stored.countedAttempts()).isZero();

        example.kafka.start();
        example.awaitAllDone();
        assertThat(example.stored.dead("outage")).isEmpty();
        example.assertArrivedInOrder("events.outage", 400);
    }

    private static String header(ConsumerRecord<String, byte[]> event, String name) {
        return new String(event.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
