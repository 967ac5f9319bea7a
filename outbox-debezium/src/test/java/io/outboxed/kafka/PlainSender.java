package io.outboxed.kafka;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A producer in this process, with the forwarder's settings and without a database: events are records in memory. */
final class PlainSender implements Sender {
    private final Topic topic;
    private final KafkaProducer<String, byte[]> producer;

    PlainSender(Topic topic) {
        this.topic = topic;
        Map<String, Object> settings =
                new HashMap<>(ForwardingNode.settings(topic.kafka().address(), topic.name(), Map.of())
                        .producer());
        // the forwarder waits for a place in the buffer no longer than this, and sends less at a time
        settings.put("max.block.ms", "60000");
        settings.put("delivery.timeout.ms", "60000");
        this.producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }

    @Override
    public long process() {
        return ProcessHandle.current().pid();
    }

    @Override
    public long database() {
        return 0;
    }

    @Override
    public Release prepare(int events, String payload) {
        return () -> {
            for (int event = 0; event < events; event++) {
                send(event % Topic.KEYS, payload);
            }
        };
    }

    @Override
    public void send(int aggregate, String payload) {
        producer.send(new ProducerRecord<>(topic.name(), "o-" + aggregate, payload.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public void close() {
        producer.close();
    }
}
