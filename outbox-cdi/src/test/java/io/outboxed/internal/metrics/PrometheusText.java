package io.outboxed.internal.metrics;

import io.outboxed.internal.metrics.Metric.Label;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scrape, as Prometheus would read it. */
public record PrometheusText(String text) {
    private static final Pattern LINE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)\\{(.*)} (\\S+)$");

    /** The name under which Prometheus keeps a counter, a gauge or a histogram. */
    public static String name(Metric metric) {
        String name = metric.text().replace('.', '_');
        return switch (metric.kind()) {
            case COUNTER -> name + "_total";
            case TIMER, AGE -> name + "_seconds";
            case GAUGE -> name;
        };
    }

    OptionalDouble figure(Metric metric, Map<Label, String> labels) {
        return value(name(metric), labels, "");
    }

    double bucket(String name, Map<Label, String> labels, double bound) {
        String le = Double.isInfinite(bound) ? "+Inf" : String.valueOf(bound);
        return value(name, labels, "le=\"" + le + "\"")
                .orElseThrow(() -> new AssertionError(name + " " + le + " in\n" + text));
    }

    private OptionalDouble value(String name, Map<Label, String> labels, String also) {
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            if (line.group(1).equals(name) && line.group(2).contains(also) && hasAll(line.group(2), labels)) {
                return OptionalDouble.of(Double.parseDouble(line.group(3)));
            }
        }
        return OptionalDouble.empty();
    }

    private static boolean hasAll(String shown, Map<Label, String> labels) {
        return labels.entrySet().stream()
                .allMatch(each -> ("," + shown + ",")
                        .contains("," + each.getKey().text().replace('.', '_') + "=\"" + each.getValue() + "\","));
    }
}
