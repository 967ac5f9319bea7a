package io.outboxed.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** A forwarder in a process of its own, which may die between the broker's confirmation and its record in the database. */
final class ForwarderProgram {
    static final String READY = "the forwarder is ready";
    static final int DEAD = 137;

    private ForwarderProgram() {}

    /**
     * @param arguments database, brokers, topic, number of confirmations that this process survives, lease in ms, and
     *     settings of the producer, {@code strict=true} or {@code format=}
     */
    public static void main(String[] arguments) throws InterruptedException {
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[4]));
        Map<String, String> producer = new HashMap<>(withinLease(lease));
        producer.put("interceptor.classes", DiesAtConfirmation.class.getName());
        producer.put(DiesAtConfirmation.SURVIVES, arguments[3]);
        for (String setting : List.of(arguments).subList(5, arguments.length)) {
            producer.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        boolean strict = producer.remove("strict") != null;
        String format = producer.remove("format");
        try (ForwardingNode node = new ForwardingNode(
                () -> StoredEvents.open(arguments[0]),
                ForwardingNode.settings(
                        arguments[1],
                        arguments[2],
                        format == null ? WireFormat.CLOUDEVENTS : WireFormat.valueOf(format),
                        strict,
                        producer),
                lease)) {
            System.out.println(READY + " " + node);
            Thread.currentThread().join();
        }
    }

    /** As the deployment demands: nothing is sent any more when the lease has ended. */
    static Map<String, String> withinLease(Duration lease) {
        long tenth = lease.toMillis() / 10;
        return Map.of(
                "max.block.ms", String.valueOf(4 * tenth),
                "delivery.timeout.ms", String.valueOf(5 * tenth),
                "request.timeout.ms", String.valueOf(3 * tenth));
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
