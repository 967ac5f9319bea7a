package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.outboxed.internal.metrics.Metric.Label;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The real SDK; its figures have the names and units that the exporters get. */
class OpenTelemetryBackendTest implements BackendContract {
    private final InMemoryMetricReader reader = InMemoryMetricReader.create();
    private final SdkMeterProvider provider =
            SdkMeterProvider.builder().registerMetricReader(reader).build();
    private final MetricsBackend backend = new OpenTelemetryBackend(provider.get("test"));

    @AfterEach
    void close() {
        provider.close();
    }

    @Override
    public MetricsBackend backend() {
        return backend;
    }

    @Override
    public OptionalDouble figure(Metric metric, Map<Label, String> labels) {
        Attributes wanted = attributes(labels);
        return Stream.concat(
                        collected(metric)
                                .flatMap(data -> data.getLongSumData().getPoints().stream())
                                .filter(point -> point.getAttributes().equals(wanted))
                                .map(point -> (double) point.getValue()),
                        collected(metric)
                                .flatMap(data -> data.getDoubleGaugeData().getPoints().stream())
                                .filter(point -> point.getAttributes().equals(wanted))
                                .map(point -> point.getValue()))
                .mapToDouble(value -> value)
                .findFirst();
    }

    @Override
    public double atMost(Metric metric, Map<Label, String> labels, double seconds) {
        HistogramPointData point = collected(metric)
                .flatMap(data -> data.getHistogramData().getPoints().stream())
                .filter(each -> each.getAttributes().equals(attributes(labels)))
                .findFirst()
                .orElseThrow();
        assertThat(point.getBoundaries()).isEqualTo(metric.buckets());
        double count = 0;
        for (int i = 0; i < point.getCounts().size(); i++) {
            double bound =
                    i < point.getBoundaries().size() ? point.getBoundaries().get(i) : Double.POSITIVE_INFINITY;
            count += bound <= seconds ? point.getCounts().get(i) : 0;
        }
        return count;
    }

    @Test
    void times_and_ages_are_in_seconds() {
        backend.timer(Metric.LAG, SHIP).accept(1);
        backend.gauge(Metric.OLDEST_AGE, NODE, () -> 1);

        assertThat(collected(Metric.LAG)).extracting(MetricData::getUnit).containsExactly("s");
        assertThat(collected(Metric.OLDEST_AGE)).extracting(MetricData::getUnit).containsExactly("s");
    }

    private Stream<MetricData> collected(Metric metric) {
        return reader.collectAllMetrics().stream().filter(data -> data.getName().equals(metric.text()));
    }

    private static Attributes attributes(Map<Label, String> labels) {
        AttributesBuilder attributes = Attributes.builder();
        labels.forEach((label, value) -> attributes.put(label.text(), value));
        return attributes.build();
    }
}
