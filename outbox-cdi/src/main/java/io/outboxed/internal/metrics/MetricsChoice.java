package io.outboxed.internal.metrics;

import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.inject.Instance;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Chooses the metrics API. Its classes may be missing; they are used only from here, and an error while loading them
 * means that the API is not available. Never throws.
 */
final class MetricsChoice {
    private static final List<MetricsApi> IN_TURN =
            List.of(MetricsApi.MP_METRICS, MetricsApi.MICROMETER, MetricsApi.OPENTELEMETRY);

    private final Instance<Object> beans;

    MetricsChoice(Instance<Object> beans) {
        this.beans = beans;
    }

    private record Answer(Optional<MetricsBackend> backend, String why) {}

    /** Chooses a backend and logs the choice. */
    MetricsBackend choose(MetricsApi wanted) {
        return switch (wanted) {
            case NONE -> none("as configured");
            case AUTO -> active();
            case MP_METRICS, MICROMETER, OPENTELEMETRY -> only(wanted);
        };
    }

    private MetricsBackend active() {
        for (MetricsApi api : IN_TURN) {
            Answer answer = ask(api);
            if (answer.backend().isPresent()) {
                OutboxLog.metricsChosen(word(api), answer.why());
                return answer.backend().get();
            }
        }
        return none("this server provides neither MicroProfile Metrics nor Micrometer nor OpenTelemetry metrics to the"
                + " application");
    }

    private MetricsBackend only(MetricsApi api) {
        Answer answer = ask(api);
        if (answer.backend().isEmpty()) {
            OutboxLog.metricsMissing(word(api), answer.why());
            return MetricsBackend.NONE;
        }
        OutboxLog.metricsChosen(word(api), "as configured");
        return answer.backend().get();
    }

    private static MetricsBackend none(String why) {
        OutboxLog.metricsChosen("none", why);
        return MetricsBackend.NONE;
    }

    private Answer ask(MetricsApi api) {
        try {
            return switch (api) {
                case MP_METRICS ->
                    answer(MpMetricsBackend.find(beans), "the server has a MetricRegistry", "no MetricRegistry");
                case MICROMETER ->
                    answer(
                            MicrometerBackend.find(beans),
                            "a MeterRegistry is a CDI bean",
                            "no MeterRegistry is a CDI bean");
                case OPENTELEMETRY ->
                    answer(
                            OpenTelemetryBackend.find(beans),
                            "the server's OpenTelemetry accepts metrics",
                            "the server has no OpenTelemetry bean that accepts metrics");
                case AUTO, NONE -> throw new IllegalArgumentException(api + " is no API");
            };
        } catch (RuntimeException | LinkageError absent) {
            // NoClassDefFoundError if the API is missing; a registry that fails is treated as missing
            return new Answer(Optional.empty(), "its API can't be used here (" + absent + ")");
        }
    }

    private static Answer answer(Optional<MetricsBackend> backend, String found, String missing) {
        return new Answer(backend, backend.isPresent() ? found : missing);
    }

    private static String word(MetricsApi api) {
        return api.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
