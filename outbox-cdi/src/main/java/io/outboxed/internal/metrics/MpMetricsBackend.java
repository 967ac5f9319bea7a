package io.outboxed.internal.metrics;

import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Gauge;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.MetricUnits;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;

/**
 * MicroProfile Metrics 5 with the application's registry. It takes histogram buckets only from configuration: they are
 * in this library's {@code META-INF/microprofile-config.properties}. Loaded only if the API is available.
 */
final class MpMetricsBackend implements MetricsBackend {
    private final MetricRegistry registry;

    MpMetricsBackend(MetricRegistry registry) {
        this.registry = registry;
    }

    /** Empty if the server has the API but no registry. */
    static Optional<MetricsBackend> find(Instance<Object> beans) {
        Instance<MetricRegistry> found = beans.select(MetricRegistry.class);
        return found.isResolvable() ? Optional.of(new MpMetricsBackend(found.get())) : Optional.empty();
    }

    @Override
    public String api() {
        return "mp-metrics";
    }

    @Override
    public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
        return registry.counter(metadata(metric, MetricUnits.NONE), tags(labels))::inc;
    }

    @Override
    public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
        Timer timer = registry.timer(metadata(metric, MetricUnits.NANOSECONDS), tags(labels));
        return nanos -> timer.update(Duration.ofNanos(nanos));
    }

    @Override
    public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        String unit = metric.kind() == Metric.Kind.AGE ? MetricUnits.SECONDS : MetricUnits.NONE;
        MetricID id = new MetricID(metric.text(), tags(labels));
        // otherwise the gauge that an earlier deployment left behind would be shown
        registry.remove(id);
        Supplier<Double> asked = value::getAsDouble;
        Gauge<Double> gauge = registry.gauge(metadata(metric, unit), asked, tags(labels));
        return () -> {
            if (registry.getGauge(id) == gauge) {
                registry.remove(id);
            }
        };
    }

    private static Metadata metadata(Metric metric, String unit) {
        return Metadata.builder()
                .withName(metric.text())
                .withDescription(metric.meaning())
                .withUnit(unit)
                .build();
    }

    /** The specification allows no dots in tag names. */
    private static Tag[] tags(Map<Metric.Label, String> labels) {
        return labels.entrySet().stream()
                .map(each -> new Tag(each.getKey().text().replace('.', '_'), each.getValue()))
                .toArray(Tag[]::new);
    }
}
