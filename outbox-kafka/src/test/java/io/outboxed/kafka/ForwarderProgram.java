package io.outboxed.kafka;

import java.sql.DriverManager;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A forwarder in a process of its own, which dies between the broker's confirmation and its record in the database. */
final class ForwarderProgram {
    static final String READY = "the forwarder is ready";
    static final int DEAD = 137;

    private ForwarderProgram() {}

    /** @param arguments database, broker, topic, number of confirmations that this process survives */
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, String> dies = Map.of(
                "interceptor.classes", DiesAtConfirmation.class.getName(), DiesAtConfirmation.SURVIVES, arguments[3]);
        try (ForwardingNode node = new ForwardingNode(
                () -> DriverManager.getConnection(arguments[0], "sa", "sa"),
                ForwardingNode.settings(arguments[1], arguments[2], dies))) {
            System.out.println(READY + " " + node);
            Thread.currentThread().join();
        }
    }

    /** Created by the producer. */
    public static final class DiesAtConfirmation implements ProducerInterceptor<byte[], byte[]> {
        static final String SURVIVES = "test.survives";
        private final AtomicInteger left = new AtomicInteger();

        @Override
        public void configure(Map<String, ?> configs) {
            left.set(Integer.parseInt(String.valueOf(configs.get(SURVIVES))));
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
            if (exception == null && left.getAndDecrement() == 0) {
                Runtime.getRuntime().halt(DEAD);
            }
        }

        @Override
        public void close() {}
    }
}
