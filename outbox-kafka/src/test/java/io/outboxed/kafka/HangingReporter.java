package io.outboxed.kafka;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;

/** Kafka tells it of the metrics of a connection on the client's own thread, which then hangs. */
public final class HangingReporter implements MetricsReporter {
    private static volatile CountDownLatch hanging = new CountDownLatch(0);
    private static volatile CountDownLatch end = new CountDownLatch(0);

    /** @return counted down when the thread hangs */
    static CountDownLatch hangUntil(CountDownLatch itGoesOn) {
        CountDownLatch hangs = new CountDownLatch(1);
        end = itGoesOn;
        hanging = hangs;
        return hangs;
    }

    @Override
    public void metricChange(KafkaMetric metric) {
        if (Thread.currentThread().getName().startsWith("kafka-")) {
            hanging.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void init(List<KafkaMetric> metrics) {}

    @Override
    public void metricRemoval(KafkaMetric metric) {}

    @Override
    public void close() {}

    @Override
    public void configure(Map<String, ?> settings) {}
}
