package io.outboxed.internal.metrics;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import jakarta.enterprise.inject.Instance;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;

/**
 * OpenTelemetry metrics of the instance that is a CDI bean (MicroProfile Telemetry 2). Loaded only if the API is
 * available.
 */
final class OpenTelemetryBackend implements MetricsBackend {
    private static final String SCOPE = "io.outboxed";

    private final Meter meter;

    OpenTelemetryBackend(Meter meter) {
        this.meter = meter;
    }

    /** Empty if metrics are not exported: the server only traces, or its SDK is disabled. */
    static Optional<MetricsBackend> find(Instance<Object> beans) {
        Instance<OpenTelemetry> found = beans.select(OpenTelemetry.class);
        if (!found.isResolvable()) {
            return Optional.empty();
        }
        Meter meter = found.get().getMeter(SCOPE);
        boolean isHeard = meter != MeterProvider.noop().get(SCOPE);
        return isHeard ? Optional.of(new OpenTelemetryBackend(meter)) : Optional.empty();
    }

    @Override
    public String api() {
        return "opentelemetry";
    }

    @Override
    public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
        LongCounter counter = meter.counterBuilder(metric.text())
                .setDescription(metric.meaning())
                .build();
        Attributes attributes = attributes(labels);
        // a counter appears only after the first addition
        counter.add(0, attributes);
        return amount -> counter.add(amount, attributes);
    }

    @Override
    public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
        DoubleHistogram histogram = meter.histogramBuilder(metric.text())
                .setDescription(metric.meaning())
                .setUnit("s")
                .setExplicitBucketBoundariesAdvice(metric.buckets())
                .build();
        Attributes attributes = attributes(labels);
        return nanos -> histogram.record(nanos / 1e9, attributes);
    }

    @Override
    public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        Attributes attributes = attributes(labels);
        ObservableDoubleGauge gauge = meter.gaugeBuilder(metric.text())
                .setDescription(metric.meaning())
                .setUnit(metric.kind() == Metric.Kind.AGE ? "s" : "")
                .buildWithCallback(measurement -> {
                    double now = value.getAsDouble();
                    if (!Double.isNaN(now)) {
                        measurement.record(now, attributes);
                    }
                });
        return gauge::close;
    }

    private static Attributes attributes(Map<Metric.Label, String> labels) {
        AttributesBuilder attributes = Attributes.builder();
        labels.forEach((label, value) -> attributes.put(label.text(), value));
        return attributes.build();
    }
}
