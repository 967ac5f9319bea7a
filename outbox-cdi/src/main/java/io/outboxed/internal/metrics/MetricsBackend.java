package io.outboxed.internal.metrics;

import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;

/**
 * The part of a metrics API that the outbox needs. Thread-safe. For the same series it returns the same instrument; if
 * it throws, only that series is lost.
 */
public interface MetricsBackend {

    /** Its name in {@code outbox.metrics}. */
    default String api() {
        return "none";
    }

    /** @return adds an amount */
    LongConsumer counter(Metric metric, Map<Metric.Label, String> labels);

    /** @return records a time in nanoseconds */
    LongConsumer timer(Metric metric, Map<Metric.Label, String> labels);

    /**
     * @param value called on a thread of the metrics API; NaN = unknown at the moment
     * @return removes the series: afterwards it has no value at all, neither 0 nor NaN
     */
    Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value);

    /** Measures nothing. */
    MetricsBackend NONE = new MetricsBackend() {
        @Override
        public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
            return amount -> {};
        }

        @Override
        public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
            return nanos -> {};
        }

        @Override
        public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
            return () -> {};
        }
    };
}
