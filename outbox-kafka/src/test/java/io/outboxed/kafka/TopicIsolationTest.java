package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Events of one type that go to several topics, by the type of their aggregate. */
class TopicIsolationTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final int ORDERS = 40;
    private static final String LARGE = "\"" + "x".repeat(MessageHead.BODY_READ_ALONG) + "\"";

    @Test
    void a_missing_topic_holds_up_no_events_of_the_same_type_for_another_topic() throws SQLException {
        KAFKA.createTopic("isolation-order");
        KafkaSettings settings = ForwardingNode.settings(KAFKA.address(), "isolation-{aggregateType}", Map.of());
        try (LoggedLines log = new LoggedLines();
                StoredEvents stored = StoredEvents.inH2();
                Connection publisher = stored.open();
                ForwardingNode node = new ForwardingNode(stored::open, settings)) {
            assertThat(node).isNotNull();
            stored.insert(publisher, "customer", 0, 200, aggregate -> "{}");
            Patience.until(
                    "Kafka counts as down for customers",
                    () -> !log.with("OUTBOX-0413").isEmpty());

            stored.insert(publisher, "order", 0, ORDERS, aggregate -> aggregate % 2 == 0 ? LARGE : "{}");
            Patience.until(
                    "all orders are forwarded",
                    () -> TopicReader.all(KAFKA, "isolation-order").size() == ORDERS);
            assertThat(log.with("OUTBOX-0414"))
                    .as("a probe has found Kafka well again")
                    .isEmpty();
            assertThat(log.with("OUTBOX-0413"))
                    .singleElement()
                    .asString()
                    .contains("kafka of order.placed of customer");
        }
    }
}
