package io.outboxed.internal.metrics;

import io.outboxed.internal.log.OutboxLog;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Shields the outbox from a metrics API that fails: the first exception is logged, and the series in question is not
 * measured.
 */
final class SafeBackend implements MetricsBackend {
    private final MetricsBackend backend;
    private final String application;
    private final AtomicBoolean logged = new AtomicBoolean();

    SafeBackend(MetricsBackend backend, String application) {
        this.backend = backend;
        this.application = application;
    }

    @Override
    public String api() {
        return backend.api();
    }

    boolean exports() {
        return backend != NONE;
    }

    @Override
    public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
        LongConsumer counter = made(() -> backend.counter(metric, all(labels)), amount -> {});
        return amount -> {
            try {
                counter.accept(amount);
            } catch (RuntimeException | LinkageError e) {
                logOnce(e);
            }
        };
    }

    @Override
    public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
        LongConsumer timer = made(() -> backend.timer(metric, all(labels)), nanos -> {});
        return nanos -> {
            try {
                timer.accept(nanos);
            } catch (RuntimeException | LinkageError e) {
                logOnce(e);
            }
        };
    }

    @Override
    public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        Runnable remove = made(() -> backend.gauge(metric, all(labels), value), () -> {});
        return () -> {
            try {
                remove.run();
            } catch (RuntimeException | LinkageError e) {
                logOnce(e);
            }
        };
    }

    private Map<Metric.Label, String> all(Map<Metric.Label, String> labels) {
        Map<Metric.Label, String> all = new EnumMap<>(Metric.Label.class);
        all.putAll(labels);
        all.put(Metric.Label.APPLICATION, application);
        return all;
    }

    private <T> T made(Supplier<T> make, T instead) {
        try {
            return make.get();
        } catch (RuntimeException | LinkageError e) {
            logOnce(e);
            return instead;
        }
    }

    private void logOnce(Throwable cause) {
        if (logged.compareAndSet(false, true)) {
            OutboxLog.metricsRefused(cause);
        }
    }
}
