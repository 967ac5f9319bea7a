package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.smallrye.metrics.legacyapi.LegacyMetricRegistryAdapter;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** SmallRye's implementation, which takes the buckets from this library's configuration file. */
class MpMetricsBackendTest implements BackendContract {
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MetricsBackend backend =
            new MpMetricsBackend(new LegacyMetricRegistryAdapter("application", prometheus));

    /** Its registry stands before Micrometer's global one. */
    @BeforeEach
    void connect() {
        Metrics.addRegistry(prometheus);
    }

    @AfterEach
    void disconnect() {
        Metrics.globalRegistry.clear();
        Metrics.removeRegistry(prometheus);
    }

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
    void every_histogram_has_its_buckets_by_configuration() {
        for (Metric metric : Metric.values()) {
            if (metric.kind() == Metric.Kind.TIMER) {
                backend.timer(metric, NODE).accept(1);
                for (double bound : metric.buckets()) {
                    assertThat(atMost(metric, NODE, bound))
                            .as("%s up to %s", metric, bound)
                            .isEqualTo(1);
                }
            }
        }
    }

    private PrometheusText scrape() {
        return new PrometheusText(prometheus.scrape());
    }
}
