package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.KafkaMessageFactory;
import io.outboxed.DeadLetter;
import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The real relay, one step after another, and a real broker. */
@ExtendWith({KafkaAddress.class, ForwardingTest.Topics.class})
@OutboxTest(
        value = KafkaForwarder.class,
        settings = {
            "outbox.kafka.route.\"order.*\"=forwarding-orders",
            "outbox.kafka.route.\"late.*\"=forwarding-late",
            "outbox.kafka.route.\"small.*\"=forwarding-small",
            "outbox.kafka.max.request.size=20000",
            "outbox.kafka.source=/shop"
        })
class ForwardingTest {
    private static final String ORDERS = "forwarding-orders";
    private static final RealKafka KAFKA = RealKafka.shared();

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    /** Before the application starts, which asks for its topics. */
    static final class Topics implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            KAFKA.createTopic(ORDERS);
            KAFKA.createTopic("forwarding-small", Map.of("max.message.bytes", "17000"));
        }
    }

    @AfterEach
    void the_broker_runs() {
        KAFKA.start();
    }

    @Test
    void the_events_of_an_aggregate_arrive_in_order_as_cloudevents() {
        outbox.inTransaction(() -> {
            for (int i = 1; i <= 5; i++) {
                publish("order.placed", "o-in-order", "{\"n\":" + i + "}");
            }
        });
        outbox.drain();

        List<ConsumerRecord<String, byte[]>> records = recordsOf("o-in-order");
        assertThat(records)
                .extracting(ForwardingTest::text)
                .containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "{\"n\":4}", "{\"n\":5}");
        CloudEvent event = KafkaMessageFactory.createReader(records.get(0)).toEvent();
        assertThat(event.getType()).isEqualTo("order.placed");
        assertThat(event.getSource()).hasToString("/shop");
        assertThat(event.getSubject()).isEqualTo("o-in-order");
        assertThat(outbox.calls()).extracting(HandlerCall::handler).containsOnly("kafka");
    }

    @Test
    void an_event_without_a_route_is_a_dead_letter_at_once() {
        outbox.inTransaction(() -> publish("mail.sent", "m-1", "{}"));
        outbox.drain();

        assertThat(outbox.deadLetters())
                .extracting(DeadLetter::handler, DeadLetter::type, DeadLetter::attempts)
                .containsExactly(tuple("kafka", "mail.sent", 1));
        assertThat(outbox.deadLetters().get(0).error()).contains("OUTBOX-0801 there is no route for");
    }

    @Test
    void a_record_that_is_too_large_is_a_dead_letter_and_its_aggregate_goes_on() {
        outbox.inTransaction(() -> {
            publish("order.placed", "o-large", "\"small\"");
            publish("order.placed", "o-large", "\"" + "x".repeat(30_000) + "\"");
            publish("order.placed", "o-large", "\"last\"");
        });
        outbox.drain();

        assertThat(recordsOf("o-large")).extracting(ForwardingTest::text).containsExactly("\"small\"", "\"last\"");
        assertThat(outbox.deadLetters()).extracting(DeadLetter::attempts).containsExactly(1);
        assertThat(outbox.deadLetters().get(0).error())
                .contains(
                        "OUTBOX-0804 Kafka can't take this event for topic forwarding-orders (RecordTooLargeException");
    }

    @Test
    void events_for_a_missing_topic_wait_without_an_attempt_until_it_exists() {
        outbox.inTransaction(() -> {
            publish("late.one", "l-1", "1");
            publish("order.placed", "o-meanwhile", "2");
        });
        outbox.drain();
        assertThat(outbox.calls())
                .filteredOn(call -> !call.succeeded())
                .extracting(call -> call.failure().getMessage())
                .first()
                .asString()
                .contains("OUTBOX-0803")
                .contains("topic forwarding-late: it does not exist");
        assertThat(recordsOf("o-meanwhile")).hasSize(1);

        KAFKA.createTopic("forwarding-late");
        Patience.until("the event is forwarded", () -> {
            outbox.advance(Duration.ofSeconds(6));
            outbox.drain();
            return TopicReader.all(KAFKA, "forwarding-late").size() == 1;
        });
        assertThat(outbox.calls()).extracting(HandlerCall::attempt).containsOnly(1);
        assertThat(outbox.deadLetters()).isEmpty();
    }

    @Test
    void a_topic_that_takes_less_than_the_producer_sends_is_refused_before_anything_is_sent() {
        outbox.inTransaction(() -> publish("small.one", "s-1", "1"));
        outbox.drain();
        assertThat(outbox.calls())
                .extracting(call -> call.failure().getMessage())
                .first()
                .asString()
                .contains("topic forwarding-small takes messages of at most 17000 bytes (max.message.bytes), but"
                        + " outbox.kafka.max.request.size is 20000");
        assertThat(outbox.deadLetters()).isEmpty();
    }

    @Test
    void a_dead_broker_costs_no_attempt_and_no_event() {
        outbox.inTransaction(() -> publish("order.placed", "o-outage", "1"));
        outbox.drain();
        KAFKA.kill();
        outbox.inTransaction(() -> publish("order.placed", "o-outage", "2"));
        outbox.drain(Duration.ofSeconds(20));
        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(true, false);

        KAFKA.start();
        outbox.advance(Duration.ofSeconds(6));
        outbox.drain(Duration.ofSeconds(20));
        assertThat(recordsOf("o-outage")).extracting(ForwardingTest::text).containsSubsequence("1", "2");
        assertThat(outbox.calls()).extracting(HandlerCall::attempt).containsOnly(1);
        assertThat(outbox.deadLetters()).isEmpty();
    }

    private void publish(String type, String aggregate, String json) {
        events.publish(json, PublishOptions.none().type(type).aggregate("order", aggregate));
    }

    private static List<ConsumerRecord<String, byte[]>> recordsOf(String key) {
        return TopicReader.all(KAFKA, ORDERS).stream()
                .filter(record -> record.key().equals(key))
                .toList();
    }

    private static String text(ConsumerRecord<String, byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }
}
