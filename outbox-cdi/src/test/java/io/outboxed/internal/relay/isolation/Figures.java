package io.outboxed.internal.relay.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run has measured, as a table in Markdown, and the bars that it missed. */
final class Figures {
    private static final double SECOND = 1_000;

    private final StringBuilder table;
    private final List<String> missed = new ArrayList<>();

    Figures(String title, Object database) {
        table = new StringBuilder("| " + title + " | " + database + " | bar |\n|---|---|---|\n");
    }

    /** Without a bar. */
    void show(String name, Object value) {
        row(name, value, "", true);
    }

    void exactly(String name, Object value, Object bar) {
        row(name, value, bar, value.equals(bar));
    }

    void none(String name, long value) {
        exactly(name, value, 0L);
    }

    void atMost(String name, List<Long> values, long bar) {
        row(
                name,
                listOf(values.stream().map(String::valueOf).toList()),
                bar,
                values.stream().allMatch(value -> value <= bar));
    }

    void durationsAtMost(String name, List<Double> millis, double bar) {
        row(
                name,
                listOf(millis.stream().map(Figures::duration).toList()),
                duration(bar),
                millis.stream().allMatch(value -> value <= bar));
    }

    void p99AtMost(String name, Latencies latencies, double bar) {
        row(name, latencies, "p99 " + duration(bar), latencies.p99() <= bar);
    }

    void longestAtMost(String name, Latencies latencies, double bar) {
        row(name, latencies, "longest " + duration(bar), latencies.longest() <= bar);
    }

    private void row(String name, Object value, Object bar, boolean met) {
        String row = ("| " + name + " | " + value + " | " + bar + " |").replace("  ", " ");
        table.append(row).append('\n');
        if (!met) {
            missed.add(row);
        }
    }

    private static String listOf(List<String> values) {
        return String.join(", ", values);
    }

    static String duration(double millis) {
        if (Double.isInfinite(millis)) {
            return "never";
        }
        return millis < SECOND
                ? String.format(Locale.ROOT, "%.1f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / SECOND);
    }

    void check() {
        System.out.println(table);
        assertThat(missed).as("bars that were missed").isEmpty();
    }
}
