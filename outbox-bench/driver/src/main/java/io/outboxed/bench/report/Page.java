package io.outboxed.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code docs/benchmarks/README.md}: the part above the marker is written by people, the part below it is generated
 * from {@code results.jsonl}.
 */
public final class Page {
    static final String MARK = "<!-- Below this line the benchmark writes; what is above it is kept. -->";
    private static final String FILE = "README.md";

    private final Path directory;
    private final Recorded recorded;

    public Page(Path directory, Recorded recorded) {
        this.directory = directory;
        this.recorded = recorded;
    }

    /** @param workloads id and title of each, in their order */
    public void write(Map<String, String> workloads) {
        StringBuilder text = new StringBuilder(head()).append(MARK).append("\n");
        text.append(targets(workloads.keySet()));
        workloads.forEach((id, title) -> text.append(workload(id, title)));
        try {
            Files.writeString(directory.resolve(FILE), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String head() {
        Path file = directory.resolve(FILE);
        try {
            String old = Files.exists(file) ? Files.readString(file) : "# Benchmarks\n\n";
            int mark = old.indexOf(MARK);
            return mark < 0 ? old : old.substring(0, mark);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String targets(Set<String> workloads) {
        StringBuilder text =
                new StringBuilder("\n## Targets\n\n| | database | target | measured |\n|---|---|---|---|\n");
        for (String id : workloads) {
            for (Map<String, String> check : recorded.checks(id)) {
                String words = check.get("words");
                text.append("| ")
                        .append(String.join(
                                " | ",
                                id,
                                check.get("database"),
                                check.get("what"),
                                Boolean.parseBoolean(check.get("met")) ? words : "**" + words + "**"))
                        .append(" |\n");
            }
        }
        return text.toString();
    }

    private String workload(String id, String title) {
        List<Map<String, String>> results = recorded.results(id);
        if (results.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n## " + id + ": " + title + "\n\n");
        for (String file : Charts.draw(directory, id, title, results)) {
            text.append("![").append(id).append("](").append(file).append(")\n\n");
        }
        text.append(table(results)).append("\n");
        Set<String> dates = new TreeSet<>();
        results.forEach(result -> dates.add(result.get("run")));
        dates.forEach(date -> text.append(circumstances(recorded.run(date))));
        return text.toString();
    }

    private static String circumstances(Run run) {
        return "Measured " + run.date() + " on " + run.machine() + "; " + run.versions() + ".\n\n```\n" + run.command()
                + "\n```\n\n";
    }

    /** One row for each system and variant, one column for each metric. */
    private static String table(List<Map<String, String>> results) {
        Set<String> metrics = new LinkedHashSet<>();
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (Map<String, String> result : results) {
            String metric = result.get("metric").replace('_', ' ');
            metrics.add(metric);
            String row = result.get("database") + " | " + result.get("variant") + " | " + result.get("system");
            Map<String, String> cells = rows.computeIfAbsent(row, key -> new LinkedHashMap<>());
            cells.put(metric, cell(result));
            if (result.get("ratio_to_limit") != null) {
                metrics.add("of the limit");
                cells.put("of the limit", result.get("ratio_to_limit"));
            }
        }
        StringBuilder text = new StringBuilder("| database | case | system | " + String.join(" | ", metrics) + " |\n");
        text.append("|---".repeat(metrics.size() + 3)).append("|\n");
        rows.forEach((row, cells) -> {
            text.append("| ").append(row);
            metrics.forEach(metric -> text.append(" | ").append(cells.getOrDefault(metric, "")));
            text.append(" |\n");
        });
        return text.toString();
    }

    private static String cell(Map<String, String> result) {
        if (result.get("median") == null) {
            return "";
        }
        boolean once = result.get("min").equals(result.get("max"));
        return result.get("median") + (once ? "" : " (" + result.get("min") + "–" + result.get("max") + ")");
    }
}
