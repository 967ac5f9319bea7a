package io.outboxed.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The content of {@code results.jsonl}: the latest figures of each workload on each database, and their runs. */
public final class Recorded {
    private static final String FILE = "results.jsonl";

    private final List<Map<String, String>> results = new ArrayList<>();
    private final List<Map<String, String>> checks = new ArrayList<>();
    private final Map<String, Run> runs = new LinkedHashMap<>();

    private Recorded() {}

    public static Recorded in(Path directory) {
        Recorded recorded = new Recorded();
        Path file = directory.resolve(FILE);
        try {
            if (Files.exists(file)) {
                Files.readAllLines(file).stream().map(Json::members).forEach(recorded::take);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return recorded;
    }

    private void take(Map<String, String> members) {
        switch (members.getOrDefault("kind", "")) {
            case "run" -> runs.put(members.get("run"), Run.of(members));
            case "result" -> results.add(members);
            case "verdict" -> checks.add(members);
            default -> throw new IllegalArgumentException("no line of the benchmark: " + members);
        }
    }

    /** Replaces the recorded results of the workloads that this run has measured on its database. */
    public void add(Run run, List<Result> newResults, List<TargetCheck> newChecks) {
        Set<String> measured = newResults.stream()
                .map(result -> result.workload() + " " + result.database())
                .collect(Collectors.toSet());
        results.removeIf(old -> measured.contains(old.get("workload") + " " + old.get("database")));
        checks.removeIf(old -> measured.contains(old.get("workload") + " " + old.get("database")));
        runs.put(run.date(), run);
        newResults.forEach(result -> results.add(Json.members(line(run, result))));
        newChecks.forEach(check -> checks.add(Json.members(line(run, check))));
        runs.keySet().removeIf(date -> results.stream().noneMatch(result -> date.equals(result.get("run"))));
    }

    public void write(Path directory) {
        List<String> lines = new ArrayList<>();
        runs.values().forEach(run -> lines.add(run.line()));
        results.forEach(result -> lines.add(Json.object(numbered(result))));
        checks.forEach(check -> lines.add(Json.object(numbered(check))));
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(FILE), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Map<String, String>> results(String workload) {
        return ofWorkload(results, workload);
    }

    List<Map<String, String>> checks(String workload) {
        return ofWorkload(checks, workload);
    }

    Run run(String date) {
        return runs.get(date);
    }

    private static List<Map<String, String>> ofWorkload(List<Map<String, String>> lines, String workload) {
        return lines.stream()
                .filter(line -> workload.equals(line.get("workload")))
                .toList();
    }

    private static String line(Run run, Result result) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", "result");
        members.put("run", run.date());
        members.put("workload", result.workload());
        members.put("variant", result.variant());
        members.put("system", result.system());
        members.put("database", result.database());
        members.put("metric", result.metric());
        members.put("median", result.sample().median());
        members.put("min", result.sample().min());
        members.put("max", result.sample().max());
        members.put("ratio_to_limit", result.ratioToLimit());
        return Json.object(members);
    }

    private static String line(Run run, TargetCheck check) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", "verdict");
        members.put("run", run.date());
        members.put("workload", check.workload());
        members.put("database", check.database());
        members.put("what", check.what());
        members.put("met", check.met());
        members.put("words", check.words());
        return Json.object(members);
    }

    /** Converts values that were read as text back to numbers. */
    private static Map<String, Object> numbered(Map<String, String> line) {
        Map<String, Object> members = new LinkedHashMap<>();
        Set<String> numbers = Set.of("median", "min", "max", "ratio_to_limit");
        line.forEach((name, text) -> {
            Object value = text;
            if (text != null && numbers.contains(name)) {
                value = Double.valueOf(text);
            } else if (name.equals("met")) {
                value = Boolean.valueOf(text);
            }
            members.put(name, value);
        });
        return members;
    }
}
