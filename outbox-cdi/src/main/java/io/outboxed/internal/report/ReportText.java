package io.outboxed.internal.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Formats lines of a name and one or several values, aligned. */
final class ReportText {
    private final List<Line> lines = new ArrayList<>();

    private record Line(String name, List<String> values) {}

    ReportText line(String name, String value) {
        lines.add(new Line(name, List.of(value)));
        return this;
    }

    /** @param otherwise printed if there are no values */
    ReportText lines(String name, List<String> values, String otherwise) {
        lines.add(new Line(name, values.isEmpty() ? List.of(otherwise) : List.copyOf(values)));
        return this;
    }

    /** Each line begins with a line break and two spaces. */
    String text() {
        int width = lines.stream()
                .map(line -> line.name().length())
                .max(Comparator.naturalOrder())
                .orElse(0);
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            String name = line.name();
            for (String value : line.values()) {
                text.append("\n  ")
                        .append(name)
                        .append(" ".repeat(width - name.length() + 2))
                        .append(oneLine(value));
                name = "";
            }
        }
        return text.toString();
    }

    /** Servers and drivers provide their own names, which must not forge log lines. */
    private static String oneLine(String value) {
        return value.replaceAll("\\p{Cntrl}+", " ").strip();
    }
}
