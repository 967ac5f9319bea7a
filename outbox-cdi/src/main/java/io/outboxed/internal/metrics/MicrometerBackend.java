package io.outboxed.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;

/**
 * Micrometer with a registry that is a CDI bean, as WildFly's subsystem provides it. Loaded only if the API is
 * available.
 */
final class MicrometerBackend implements MetricsBackend {
    private final MeterRegistry registry;

    MicrometerBackend(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Empty if there is no registry. */
    static Optional<MetricsBackend> find(Instance<Object> beans) {
        Instance<MeterRegistry> found = beans.select(MeterRegistry.class);
        return found.isResolvable() ? Optional.of(over(found.get())) : Optional.empty();
    }

    static MetricsBackend over(MeterRegistry registry) {
        return ShorthandMicrometerBackend.isNeededFor(registry)
                ? new ShorthandMicrometerBackend(registry)
                : new MicrometerBackend(registry);
    }

    @Override
    public String api() {
        return "micrometer";
    }

    @Override
    public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
        return Counter.builder(metric.text())
                .description(metric.meaning())
                .tags(tags(labels))
                .register(registry)::increment;
    }

    @Override
    public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
        Timer timer = Timer.builder(metric.text())
                .description(metric.meaning())
                .tags(tags(labels))
                .serviceLevelObjectives(metric.buckets().stream()
                        .map(seconds -> Duration.ofNanos((long) (seconds * 1e9)))
                        .toArray(Duration[]::new))
                .register(registry);
        return nanos -> timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        Gauge gauge = registered(metric, labels, value);
        return () -> {
            // a registry removes by name and labels, so also the gauge of a later deployment
            if (registry.find(metric.text()).tags(tags(labels)).gauges().stream()
                    .anyMatch(each -> each == gauge)) {
                registry.remove(gauge);
            }
        };
    }

    private Gauge registered(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        Gauge.Builder<?> builder = Gauge.builder(metric.text(), value::getAsDouble)
                .description(metric.meaning())
                .tags(tags(labels))
                .strongReference(true);
        if (metric.kind() == Metric.Kind.AGE) {
            builder.baseUnit("seconds");
        }
        // a registry returns an existing gauge instead of replacing it: first remove what an earlier deployment left
        // behind
        registry.find(metric.text()).tags(tags(labels)).gauges().forEach(registry::remove);
        return builder.register(registry);
    }

    static Tags tags(Map<Metric.Label, String> labels) {
        return Tags.of(labels.entrySet().stream()
                .map(each -> Tag.of(each.getKey().text(), each.getValue()))
                .toList());
    }
}
