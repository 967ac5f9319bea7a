package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MicrometerBackendTest implements BackendContract {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MetricsBackend backend = MicrometerBackend.over(registry);

    @Override
    public MetricsBackend backend() {
        return backend;
    }

    @Override
    public OptionalDouble figure(Metric metric, Map<Metric.Label, String> labels) {
        return scrape().figure(metric, labels);
    }

    @Override
    public double atMost(Metric metric, Map<Metric.Label, String> labels, double seconds) {
        return scrape().bucket(PrometheusText.name(metric) + "_bucket", labels, seconds);
    }

    @Test
    void probing_the_registry_leaves_nothing_behind() {
        assertThat(registry.getMeters()).isEmpty();
        assertThat(MicrometerBackend.over(new SimpleMeterRegistry())).isInstanceOf(MicrometerBackend.class);
    }

    /** A registry of the server outlives the application: a gauge of an earlier deployment must not stay visible. */
    @Test
    void a_gauge_that_was_left_behind_is_replaced() {
        backend.gauge(Metric.SHARDS_HELD, NODE, () -> 1);
        backend.gauge(Metric.SHARDS_HELD, NODE, () -> 2);

        assertThat(figure(Metric.SHARDS_HELD, NODE)).hasValue(2);
    }

    private PrometheusText scrape() {
        return new PrometheusText(registry.scrape());
    }
}
