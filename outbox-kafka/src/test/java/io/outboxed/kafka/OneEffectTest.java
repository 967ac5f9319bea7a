package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicReader;
import io.outboxed.testkit.OutboxTest;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.example.billing.Billing;
import org.example.billing.OrdersConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From the outbox of one application to the tables of another one. */
@ExtendWith(KafkaAddress.class)
@OutboxTest(
        value = Billing.class,
        settings = {"outbox.kafka.route.\"none\"=unused", "outbox.relay.enabled=false"})
class OneEffectTest {
    private static final String TOPIC = "one-effect";
    private static final int ORDERS = 150;
    private static final RealKafka KAFKA = RealKafka.shared();

    @Inject
    Billing billing;

    @Resource
    DataSource dataSource;

    @Test
    void an_order_is_billed_once_although_forwarder_broker_and_consumer_crash() throws SQLException, IOException {
        run("CREATE TABLE bill (order_id VARCHAR(20), details VARCHAR(20))");
        KAFKA.createTopic(TOPIC);
        try (StoredEvents stored = StoredEvents.inH2()) {
            stored.publish(ORDERS, 1, 1);
            assertThat(Forwarders.run(stored, KAFKA, TOPIC, 50)).isEqualTo(ForwarderProgram.DEAD);
            consumerDies();
            KAFKA.kill();
            KAFKA.start();
            try (ForwardingNode node =
                    new ForwardingNode(stored::open, ForwardingNode.settings(KAFKA.address(), TOPIC, Map.of()))) {
                assertThat(node).isNotNull();
                Patience.until("all events are forwarded", () -> stored.left() == 0);
            }
        }
        int records = TopicReader.all(KAFKA, TOPIC).size();
        assertThat(records).as("with duplicates").isGreaterThan(ORDERS);

        try (KafkaConsumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings(), new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            OrdersConsumer orders = new OrdersConsumer(consumer, billing);
            AtomicInteger seen = new AtomicInteger();
            Patience.until("all records are seen", () -> seen.addAndGet(orders.poll()) >= records);
        }
        assertThat(number("SELECT COUNT(*) FROM bill")).isEqualTo(ORDERS);
        assertThat(number("SELECT COUNT(DISTINCT order_id) FROM bill")).isEqualTo(ORDERS);
    }

    /** It has stored bills, but not its offsets. */
    private void consumerDies() throws SQLException {
        try (KafkaConsumer<String, byte[]> consumer = new DiesBeforeCommit(settings())) {
            consumer.subscribe(List.of(TOPIC));
            OrdersConsumer orders = new OrdersConsumer(consumer, billing);
            Patience.until("some orders are billed", () -> orders.poll() > 0);
        }
        assertThat(number("SELECT COUNT(*) FROM bill")).isBetween(1, ORDERS - 1);
    }

    private static Map<String, Object> settings() {
        return Map.of(
                "bootstrap.servers", KAFKA.address(),
                "group.id", "billing",
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest",
                "max.poll.records", "20");
    }

    private static final class DiesBeforeCommit extends KafkaConsumer<String, byte[]> {
        private DiesBeforeCommit(Map<String, Object> settings) {
            super(settings, new StringDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public void commitSync() {
            // not reached
        }
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int number(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getInt(1);
        }
    }
}
