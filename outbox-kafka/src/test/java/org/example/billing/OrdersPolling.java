package org.example.billing;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Polls from the start of the application to its end, on a thread of its own. */
@ApplicationScoped
public class OrdersPolling {
    private static final Logger LOG = Logger.getLogger(OrdersPolling.class.getName());

    @Inject
    protected Billing billing;

    @Resource
    protected ManagedThreadFactory threads;

    private final CountDownLatch end = new CountDownLatch(1);
    private Thread thread;

    protected void start(@Observes @Initialized(ApplicationScoped.class) Object application) {
        thread = threads.newThread(this::poll);
        thread.start();
    }

    private void poll() {
        try {
            do {
                pollUntilItFails();
            } while (!end.await(1, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pollUntilItFails() {
        try (Consumer<String, byte[]> consumer = open()) {
            OrdersConsumer orders = new OrdersConsumer(consumer, billing);
            while (end.getCount() > 0) {
                orders.poll();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "orders are read again from the last committed offset", e);
        }
    }

    protected Consumer<String, byte[]> open() {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", "kafka-1:9092,kafka-2:9092",
                "group.id", "billing",
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest");
        Consumer<String, byte[]> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
        consumer.subscribe(List.of("orders"));
        return consumer;
    }

    protected void stop(@Observes @BeforeDestroyed(ApplicationScoped.class) Object application)
            throws InterruptedException {
        end.countDown();
        if (thread != null) {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        }
    }
}
