package io.outboxed.kafka;

import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.example.billing.Billing;
import org.example.billing.OrdersConsumer;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** The application that docs/kafka.md shows, in a process of its own. */
final class ConsumerProgram {
    static final String READY = "the consumer is ready";
    static final String BILLED = "billed ";
    static final String BEFORE_COMMIT = "effects are committed, their offsets are not";

    private ConsumerProgram() {}

    /**
     * @param topic also the name of the group
     * @param stops before it commits offsets for the first time
     */
    static ServerProcess start(RealDatabase server, RealKafka kafka, String topic, boolean stops) throws IOException {
        List<String> arguments =
                List.of(server.url(), server.user(), server.password(), kafka.address(), topic, String.valueOf(stops));
        return TestProgram.start("consumer", ConsumerProgram.class, arguments);
    }

    /** @param arguments those of {@link #start} */
    public static void main(String[] arguments) {
        PGConnectionPoolDataSource database = new PGConnectionPoolDataSource();
        database.setUrl(arguments[0]);
        database.setUser(arguments[1]);
        database.setPassword(arguments[2]);
        List<String> settings = List.of(
                "outbox.kafka.bootstrap.servers=" + arguments[3],
                "outbox.kafka.route.\"none\"=unused",
                "outbox.relay.enabled=false");
        boolean stops = Boolean.parseBoolean(arguments[5]);
        try (StandaloneOutbox application = StandaloneOutbox.startOn(
                JdbcConnectionPool.create(database), ConsumerProgram.class, List.of(Billing.class), settings)) {
            Billing billing = new ReportedBilling(application.get(Billing.class));
            System.out.println(READY);
            while (true) {
                try (KafkaConsumer<String, byte[]> consumer =
                        new StoppableConsumer(settings(arguments[3], arguments[4]), stops)) {
                    consumer.subscribe(List.of(arguments[4]));
                    consume(new OrdersConsumer(consumer, billing));
                }
            }
        }
    }

    /** Until an exception of Kafka, for example because the broker was killed. */
    private static void consume(OrdersConsumer orders) {
        try {
            while (true) {
                orders.poll();
            }
        } catch (KafkaException e) {
            System.out.println("the consumer is opened again after " + e);
        }
    }

    private static Map<String, Object> settings(String brokers, String group) {
        return Map.of(
                "bootstrap.servers", brokers,
                "group.id", group,
                // the next process takes the place of one that was killed without waiting for the end of its session
                "group.instance.id", "billing-1",
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest",
                "max.poll.records", "50");
    }

    /** A line for each call that returned: its effect is committed by then, by this call or by an earlier one. */
    private static final class ReportedBilling extends Billing {
        private final Billing billing;

        private ReportedBilling(Billing billing) {
            this.billing = billing;
        }

        @Override
        public void bill(String eventId, String order, String details) {
            billing.bill(eventId, order, details);
            System.out.println(BILLED + eventId);
        }
    }

    private static final class StoppableConsumer extends KafkaConsumer<String, byte[]> {
        private final boolean stops;
        private boolean received;

        private StoppableConsumer(Map<String, Object> settings, boolean stops) {
            super(settings, new StringDeserializer(), new ByteArrayDeserializer());
            this.stops = stops;
        }

        @Override
        public ConsumerRecords<String, byte[]> poll(Duration timeout) {
            ConsumerRecords<String, byte[]> records = super.poll(timeout);
            received = !records.isEmpty();
            return records;
        }

        @Override
        public void commitSync() {
            if (stops && received) {
                System.out.println(BEFORE_COMMIT);
                while (true) {
                    LockSupport.park();
                }
            }
            super.commitSync();
        }
    }
}
