package io.outboxed.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws those figures of a workload that answer its question. */
final class Charts {
    private static final List<String> OF_ANY = List.of(
            "messages_per_second",
            "transactions_per_second",
            "bytes_per_second",
            "microseconds_per_message",
            "commit_to_handler_p50_ms",
            "commit_to_handler_p99_ms");

    private Charts() {}

    /** @return the names of the files in the directory */
    static List<String> draw(Path directory, String workload, String title, List<Map<String, String>> results) {
        List<String> files = new ArrayList<>();
        for (String metric : OF_ANY) {
            List<BarChart.Bar> bars = results.stream()
                    .filter(result -> metric.equals(result.get("metric")))
                    .map(Charts::bar)
                    .toList();
            if (!bars.isEmpty()) {
                String file = workload.toLowerCase(Locale.ROOT) + "-" + metric.replace('_', '-') + ".svg";
                String unit = metric.replace('_', ' ');
                write(
                        directory.resolve(file),
                        new BarChart(workload + ": " + title, unit, metric.endsWith("_ms"), bars).svg());
                files.add(file);
            }
        }
        return files;
    }

    private static BarChart.Bar bar(Map<String, String> result) {
        String variant = result.get("variant");
        String group = result.get("database") + variant;
        String label = result.get("database") + (variant.isEmpty() ? "" : ", " + variant) + ": " + result.get("system");
        return new BarChart.Bar(group, label, result.get("system"), sample(result));
    }

    static Sample sample(Map<String, String> result) {
        return new Sample(number(result, "median"), number(result, "min"), number(result, "max"));
    }

    /** A figure that could not be computed is left out. */
    private static double number(Map<String, String> result, String name) {
        return result.get(name) == null ? 0 : Double.parseDouble(result.get(name));
    }

    private static void write(Path file, String svg) {
        try {
            Files.writeString(file, svg);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
