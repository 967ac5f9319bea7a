package io.outboxed.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Micrometer without builders: WildFly's registry for applications forwards only meters that are created by its
 * shorthand methods, and silently drops the others (https://github.com/wildfly/wildfly/pull/19294). A timer created
 * that way has no buckets, so the buckets are separate counters, {@code <name>.le} with the label {@code le}, which is
 * what quantiles in PromQL need.
 */
final class ShorthandMicrometerBackend implements MetricsBackend {
    private final MeterRegistry registry;

    ShorthandMicrometerBackend(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Whether meters registered by a builder can't be found again. */
    static boolean isNeededFor(MeterRegistry registry) {
        Counter probe = Counter.builder("outbox.probe").register(registry);
        boolean lost = registry.find("outbox.probe").counter() == null;
        registry.remove(probe);
        return lost;
    }

    @Override
    public String api() {
        return "micrometer";
    }

    @Override
    public LongConsumer counter(Metric metric, Map<Metric.Label, String> labels) {
        return registry.counter(metric.text(), MicrometerBackend.tags(labels))::increment;
    }

    @Override
    public LongConsumer timer(Metric metric, Map<Metric.Label, String> labels) {
        Tags tags = MicrometerBackend.tags(labels);
        Timer timer = registry.timer(metric.text(), tags);
        List<Double> bounds = Stream.concat(metric.buckets().stream(), Stream.of(Double.POSITIVE_INFINITY))
                .toList();
        List<Counter> buckets = bounds.stream()
                .map(bound -> registry.counter(metric.text() + ".le", tags.and("le", shown(bound))))
                .toList();
        return nanos -> {
            timer.record(nanos, TimeUnit.NANOSECONDS);
            for (int i = buckets.size() - 1; i >= 0 && nanos <= bounds.get(i) * 1e9; i--) {
                buckets.get(i).increment();
            }
        };
    }

    /** The registry keeps only a weak reference to the object, so the returned object must hold it. */
    @Override
    public Runnable gauge(Metric metric, Map<Metric.Label, String> labels, DoubleSupplier value) {
        Tags tags = MicrometerBackend.tags(labels);
        // what an earlier deployment left behind
        found(metric, tags).forEach(registry::remove);
        if (metric.kind() == Metric.Kind.AGE) {
            registry.more().timeGauge(metric.text(), tags, value, TimeUnit.SECONDS, DoubleSupplier::getAsDouble);
        } else {
            registry.gauge(metric.text(), tags, value, DoubleSupplier::getAsDouble);
        }
        Collection<Meter> registered = found(metric, tags);
        return new Runnable() {
            @SuppressWarnings("unused")
            private final DoubleSupplier held = value;

            @Override
            public void run() {
                // a registry removes by name and labels, so also the gauge of a later deployment
                found(metric, tags).stream()
                        .filter(now -> registered.stream().anyMatch(mine -> mine == now))
                        .forEach(registry::remove);
            }
        };
    }

    private Collection<Meter> found(Metric metric, Tags tags) {
        return registry.find(metric.text()).tags(tags).meters();
    }

    private static String shown(double bound) {
        return Double.isInfinite(bound) ? "+Inf" : String.valueOf(bound);
    }
}
