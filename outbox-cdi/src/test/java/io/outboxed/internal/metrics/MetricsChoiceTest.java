package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.smallrye.metrics.legacyapi.LegacyMetricRegistryAdapter;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import java.util.List;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which metrics API is used in a container that offers some of them, and what the log says. */
class MetricsChoiceTest {
    private final MetricRegistry mpMetrics = new LegacyMetricRegistryAdapter("application", new SimpleMeterRegistry());
    private final MeterRegistry micrometer = new SimpleMeterRegistry();
    private final SdkMeterProvider heard = SdkMeterProvider.builder()
            .registerMetricReader(InMemoryMetricReader.create())
            .build();
    private final OpenTelemetry measuring =
            OpenTelemetrySdk.builder().setMeterProvider(heard).build();
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void close() {
        log.close();
        heard.close();
    }

    @Test
    void auto_prefers_microprofile_metrics_then_micrometer_then_opentelemetry() {
        assertThat(choose(MetricsApi.AUTO, mpMetrics, micrometer, measuring)).isInstanceOf(MpMetricsBackend.class);
        assertThat(choose(MetricsApi.AUTO, micrometer, measuring)).isInstanceOf(MicrometerBackend.class);
        assertThat(choose(MetricsApi.AUTO, measuring)).isInstanceOf(OpenTelemetryBackend.class);
        assertThat(log.lines)
                .hasSize(3)
                .allMatch(line -> line.startsWith("INFO OUTBOX-0601 metrics go to "))
                .anyMatch(line -> line.contains("mp-metrics: the server has a MetricRegistry"));
    }

    @Test
    void auto_without_any_is_silent_but_for_one_line() {
        assertThat(choose(MetricsApi.AUTO)).isSameAs(MetricsBackend.NONE);

        assertThat(log.lines)
                .singleElement()
                .asString()
                .startsWith("INFO OUTBOX-0601 metrics go to none: this server provides");
    }

    @Test
    void an_opentelemetry_that_only_traces_is_none() {
        OpenTelemetry tracing = OpenTelemetrySdk.builder().build();

        assertThat(choose(MetricsApi.AUTO, tracing)).isSameAs(MetricsBackend.NONE);
        assertThat(choose(MetricsApi.AUTO, OpenTelemetry.noop())).isSameAs(MetricsBackend.NONE);
    }

    @Test
    void an_explicit_choice_is_taken_whatever_else_is_there() {
        assertThat(choose(MetricsApi.OPENTELEMETRY, mpMetrics, micrometer, measuring))
                .isInstanceOf(OpenTelemetryBackend.class);
        assertThat(choose(MetricsApi.NONE, mpMetrics)).isSameAs(MetricsBackend.NONE);
    }

    @Test
    void an_explicit_choice_that_is_unavailable_warns_and_continues_without_metrics() {
        assertThat(choose(MetricsApi.MICROMETER, mpMetrics)).isSameAs(MetricsBackend.NONE);

        assertThat(log.lines)
                .singleElement()
                .asString()
                .startsWith("WARNING OUTBOX-0690 outbox.metrics is micrometer, but no MeterRegistry is a CDI bean");
    }

    /** As a server's own extension does. */
    private record Offer(List<Object> beans) implements Extension {
        void add(@Observes AfterBeanDiscovery discovery) {
            beans.forEach(
                    each -> discovery.addBean().createWith(context -> each).addTransitiveTypeClosure(each.getClass()));
        }
    }

    private static MetricsBackend choose(MetricsApi wanted, Object... offered) {
        Weld weld =
                new Weld().disableDiscovery().addBeanClass(Anything.class).addExtension(new Offer(List.of(offered)));
        try (WeldContainer container = weld.initialize()) {
            Instance<Object> beans = container.select(Anything.class).get().beans;
            return new MetricsChoice(beans).choose(wanted);
        }
    }
}
