package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** There is no broker: what is sent does not succeed. */
@OutboxTest(
        value = KafkaForwarder.class,
        settings = {
            "outbox.kafka.bootstrap.servers=127.0.0.1:1",
            "outbox.kafka.max.block.ms=1000",
            "outbox.kafka.route.\"order.*\"=unrouted-orders",
            "outbox.kafka.unrouted=skip"
        })
class UnroutedTest {

    @Inject
    Outbox events;

    @Inject
    OutboxTester outbox;

    @Test
    void an_event_without_a_route_is_done_if_those_are_skipped() {
        outbox.inTransaction(() ->
                events.publish("{}", PublishOptions.none().type("mail.sent").aggregate("order", "o-1")));
        outbox.drain();

        assertThat(outbox.calls()).extracting(HandlerCall::succeeded).containsExactly(true);
        assertThat(outbox.deadLetters()).isEmpty();
    }

    @Test
    void one_with_a_route_is_sent() {
        outbox.inTransaction(() ->
                events.publish("{}", PublishOptions.none().type("order.placed").aggregate("order", "o-2")));
        outbox.drain();

        assertThat(outbox.calls())
                .isNotEmpty()
                .extracting(HandlerCall::failure)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(BrokerNotReadyException.class)
                        .hasMessageContaining("127.0.0.1:1"));
    }
}
