package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** For consumers that must not see an event if an earlier one of its aggregate is missing. */
@ExtendWith({KafkaAddress.class, BlockedAggregateTest.Topics.class})
@OutboxTest(
        value = KafkaForwarder.class,
        settings = {
            "outbox.kafka.route.\"order.*\"=blocked-orders",
            "outbox.kafka.max.request.size=20000",
            "outbox.payload.max-bytes=40000",
            "outbox.dead-letter.\"kafka\".order=block"
        })
class BlockedAggregateTest {
    private static final RealKafka KAFKA = RealKafka.shared();

    @Inject
    Outbox events;

    @Inject
    DeadLetters deadLetters;

    @Inject
    OutboxTester outbox;

    /** Before the application starts, which asks for its topics. */
    static final class Topics implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            KAFKA.createTopic("blocked-orders");
        }
    }

    @Test
    void events_behind_a_record_that_kafka_refuses_wait_until_its_dead_letter_is_decided_on() {
        outbox.inTransaction(() -> {
            publish("o-blocked", "\"first\"");
            publish("o-blocked", "\"" + "x".repeat(30_000) + "\"");
            publish("o-blocked", "\"last\"");
            publish("o-other", "\"other\"");
        });
        outbox.drain();

        assertThat(outbox.deadLetters())
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).contains("OUTBOX-0804"))
                .extracting(DeadLetter::blocking)
                .isEqualTo(true);
        assertThat(sent("o-blocked")).containsExactly("\"first\"");
        assertThat(sent("o-other")).containsExactly("\"other\"");

        DeadLetter letter = outbox.deadLetters().get(0);
        deadLetters.discard(letter.messageId(), letter.handler());
        outbox.drain();
        assertThat(sent("o-blocked")).containsExactly("\"first\"", "\"last\"");
    }

    private void publish(String order, String json) {
        events.publish(json, PublishOptions.none().type("order.placed").aggregate("order", order));
    }

    private static List<String> sent(String order) {
        return TopicReader.all(KAFKA, "blocked-orders").stream()
                .filter(record -> record.key().equals(order))
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
