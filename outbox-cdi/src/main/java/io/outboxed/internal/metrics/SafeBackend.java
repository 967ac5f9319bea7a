package io.outboxed.internal.metrics;

import io.outboxed.internal.log.OutboxLog;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
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
    public Count count(Metric metric, Map<Metric.Label, String> labels) {
        Count count = made(() -> backend.count(metric, all(labels)), amount -> {});
        return amount -> {
            try {
                count.add(amount);
            } catch (RuntimeException | LinkageError e) {
                logOnce(e);
            }
        };
    }

    @Override
    public Time time(Metric metric, Map<Metric.Label, String> labels) {
        Time time = made(() -> backend.time(metric, all(labels)), nanos -> {});
        return nanos -> {
            try {
                time.record(nanos);
            } catch (RuntimeException | LinkageError e) {
                logOnce(e);
            }
        };
    }

    @Override
    public Shown show(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        Shown shown = made(() -> backend.show(metric, all(labels), value), () -> {});
        return () -> {
            try {
                shown.hide();
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
