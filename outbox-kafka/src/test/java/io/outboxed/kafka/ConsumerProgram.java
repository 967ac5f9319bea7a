package io.outboxed.kafka;

import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.process.ServerProcess;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.example.billing.Billing;
import org.example.billing.OrdersPolling;
import org.h2.jdbcx.JdbcConnectionPool;
import org.postgresql.ds.PGConnectionPoolDataSource;

/** The application that docs/kafka.md shows, in a process of its own. */
final class ConsumerProgram {
    static final String READY = "the consumer is ready";
    static final String BILLED = "billed ";
    /** By each process once. */
    static final String FAILED = "this event can't be billed now";

    static final String STOPPED = "the consumer has stopped";
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
    public static void main(String[] arguments) throws InterruptedException {
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
            Polling polling =
                    new Polling(new ReportedBilling(application.get(Billing.class)), arguments[3], arguments[4], stops);
            Runtime.getRuntime().addShutdownHook(new Thread(polling::end));
            polling.begin();
            System.out.println(READY);
            Thread.currentThread().join();
        }
    }

    /** What the container does with the bean: it injects, and tells of its start and its end. */
    private static final class Polling extends OrdersPolling {
        private final String brokers;
        private final String topic;
        private final boolean stops;

        private Polling(Billing billing, String brokers, String topic, boolean stops) {
            this.billing = billing;
            this.threads = new PlainThreads();
            this.brokers = brokers;
            this.topic = topic;
            this.stops = stops;
        }

        private void begin() {
            start("the application");
        }

        private void end() {
            try {
                stop("the application");
                if (!((PlainThreads) threads).last.isAlive()) {
                    System.out.println(STOPPED);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected Consumer<String, byte[]> open() {
            Consumer<String, byte[]> consumer = new StoppableConsumer(settings(brokers, topic), stops);
            consumer.subscribe(List.of(topic));
            return consumer;
        }
    }

    private static final class PlainThreads implements ManagedThreadFactory {
        private Thread last;

        @Override
        public Thread newThread(Runnable task) {
            last = new Thread(task, "polling");
            return last;
        }

        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            throw new UnsupportedOperationException();
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
        private static final int FAILS_AT = 20;
        private final Billing billing;
        private int calls;

        private ReportedBilling(Billing billing) {
            this.billing = billing;
        }

        @Override
        public void bill(String eventId, String order, String details) {
            if (++calls == FAILS_AT) {
                throw new IllegalStateException(FAILED);
            }
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
