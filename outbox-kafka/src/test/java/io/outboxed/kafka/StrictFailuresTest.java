package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What follows if the topics are there and transactions are not. */
class StrictFailuresTest {

    @Test
    void if_a_producer_can_not_be_opened_everything_is_checked_again_and_it_is_logged_once_a_minute()
            throws InterruptedException {
        KafkaSettings settings = ForwardingNode.settings("localhost:1", "orders", true, Map.of());
        WritableTopics topics = new WritableTopics(settings, asked -> Map.of());
        topics.await("orders");
        topics.await("customers");
        StrictFailures failures = new StrictFailures(settings, topics, new TransactionCheck(settings, Runnable::run));
        StrictSend event = new StrictSend(
                new ProducerRecord<>("orders", new byte[] {1}),
                new Lease(5, "me", 1),
                lease -> true,
                Duration.ofSeconds(1));
        try (LoggedLines log = new LoggedLines()) {
            failures.notOpened(List.of(event), new TimeoutException("no coordinator"));
            failures.notOpened(List.of(event), new TimeoutException("no coordinator"));
            assertThat(log.with("OUTBOX-0890"))
                    .singleElement()
                    .asString()
                    .contains("the producer orders-5 can't be opened (TimeoutException: no coordinator)");
        }
        assertThat(topics.contain("orders")).isFalse();
        assertThat(topics.contain("customers")).isFalse();
        assertThatThrownBy(event::call)
                .isInstanceOf(BrokerNotReadyException.class)
                .hasMessageContaining("the producer orders-5 can't be opened");
    }
}
