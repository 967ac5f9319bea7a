package io.outboxed.internal.metrics;

import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * A metrics API, as far as it is needed. Thread-safe. Asked again for the same series it gives the same figures; what it
 * throws costs that series, never the outbox.
 */
public interface MetricsBackend {

    interface Count {
        void add(long amount);
    }

    interface Time {
        void record(long nanos);
    }

    interface Shown {
        /** Takes the series away: it is neither 0 nor NaN, it is not there. */
        void hide();
    }

    /** The word for it in {@code outbox.metrics}. */
    default String api() {
        return "none";
    }

    Count count(Metric metric, Map<Metric.Label, String> labels);

    Time time(Metric metric, Map<Metric.Label, String> labels);

    /** @param value asked on a thread of the metrics API; NaN = not known now */
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
