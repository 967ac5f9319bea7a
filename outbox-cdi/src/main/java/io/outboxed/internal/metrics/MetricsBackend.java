package io.outboxed.internal.metrics;

import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * The part of a metrics API that the outbox needs. Thread-safe. For the same series it returns the same instrument; if
 * it throws, only that series is lost.
 */
public interface MetricsBackend {

    interface Count {
        void add(long amount);
    }

    interface Time {
        void record(long nanos);
    }

    interface Shown {
        /** Removes the series: afterwards it has no value at all, neither 0 nor NaN. */
        void hide();
    }

    /** Its name in {@code outbox.metrics}. */
    default String api() {
        return "none";
    }

    Count count(Metric metric, Map<Metric.Label, String> labels);

    Time time(Metric metric, Map<Metric.Label, String> labels);

    /** @param value called on a thread of the metrics API; NaN = unknown at the moment */
    Shown show(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value);

    /** Measures nothing. */
    MetricsBackend NONE = new MetricsBackend() {
        @Override
        public Count count(Metric metric, Map<Metric.Label, String> labels) {
            return amount -> {};
        }

        @Override
        public Time time(Metric metric, Map<Metric.Label, String> labels) {
            return nanos -> {};
        }

        @Override
        public Shown show(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
            return () -> {};
        }
    };
}
