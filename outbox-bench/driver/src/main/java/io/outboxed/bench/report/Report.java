package io.outboxed.bench.report;

import io.outboxed.bench.Say;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects the figures, prints each immediately, and keeps them for the page. */
public final class Report {
    private final List<Result> results = new ArrayList<>();
    private final List<TargetCheck> checks = new ArrayList<>();

    public void add(Result result) {
        results.add(result);
        Say.line(ResultLine.of(result));
    }

    public void add(TargetCheck check) {
        checks.add(check);
        Say.line(String.format(
                Locale.ROOT, "TARGET %s %s %s: %s", check.workload(), check.database(), check.what(), check.words()));
    }

    public List<Result> results() {
        return List.copyOf(results);
    }

    public List<TargetCheck> checks() {
        return List.copyOf(checks);
    }
}
