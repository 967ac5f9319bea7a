package org.example.billing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Polls a topic and passes each event to a bean. {@link OrdersPolling} runs it. */
public class OrdersConsumer {
    private final Consumer<String, byte[]> consumer;
    private final Billing billing;

    public OrdersConsumer(Consumer<String, byte[]> consumer, Billing billing) {
        this.consumer = consumer;
        this.billing = billing;
    }

    /**
     * Offsets are committed after the effects: a crash in between repeats events, and the inbox ignores them. After an
     * exception, close the consumer and open another one, which begins at the last committed offset.
     *
     * @return how many events came
     */
    public int poll() {
        int events = 0;
        for (ConsumerRecord<String, byte[]> event : consumer.poll(Duration.ofSeconds(1))) {
            String id = new String(event.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8);
            billing.bill(id, event.key(), new String(event.value(), StandardCharsets.UTF_8));
            events++;
        }
        consumer.commitSync();
        return events;
    }
}
