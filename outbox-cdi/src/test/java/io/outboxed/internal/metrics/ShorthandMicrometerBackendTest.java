package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ShorthandMicrometerBackendTest implements BackendContract {
    private final PrometheusMeterRegistry server = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MetricsBackend backend = MicrometerBackend.over(new ByNameRegistry(server));

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
        return scrape().bucket(metric.text().replace('.', '_') + "_le_total", labels, seconds);
    }

    @Test
    void such_a_registry_is_recognised_by_what_it_loses() {
        assertThat(backend).isInstanceOf(ShorthandMicrometerBackend.class);
        assertThat(server.getMeters()).isEmpty();
    }

    private PrometheusText scrape() {
        return new PrometheusText(server.scrape());
    }
}
