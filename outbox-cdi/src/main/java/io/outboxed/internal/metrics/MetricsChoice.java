package io.outboxed.internal.metrics;

import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.inject.Instance;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which metrics API gets the figures. Their classes may be missing: they are touched here only, and what that throws is an
 * answer like any other. Never fails.
 */
final class MetricsChoice {
    private static final List<MetricsApi> IN_TURN =
            List.of(MetricsApi.MP_METRICS, MetricsApi.MICROMETER, MetricsApi.OPENTELEMETRY);

    private final Instance<Object> beans;

    MetricsChoice(Instance<Object> beans) {
        this.beans = beans;
    }

    private record Answer(Optional<MetricsBackend> backend, String why) {}

    /** Said once in the log. */
    MetricsBackend choose(MetricsApi wanted) {
        return switch (wanted) {
            case NONE -> none("it is configured so");
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
        return none("this server offers neither MicroProfile Metrics nor Micrometer nor OpenTelemetry metrics to the"
                + " application");
    }

    private MetricsBackend only(MetricsApi api) {
        Answer answer = ask(api);
        if (answer.backend().isEmpty()) {
            OutboxLog.metricsMissing(word(api), answer.why());
            return MetricsBackend.NONE;
        }
        OutboxLog.metricsChosen(word(api), "it is configured so");
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
                            "no MeterRegistry is a bean");
                case OPENTELEMETRY ->
                    answer(
                            OpenTelemetryBackend.find(beans),
                            "the server's OpenTelemetry takes metrics",
                            "the server has no OpenTelemetry bean that takes metrics");
                case AUTO, NONE -> throw new IllegalArgumentException(api + " is no API");
            };
        } catch (RuntimeException | LinkageError absent) {
            // NoClassDefFoundError where the API is not there; a registry that fails is as good as none
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
