package io.outboxed.bench;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Product;
import io.outboxed.bench.jmh.InnerLoops;
import io.outboxed.bench.report.Page;
import io.outboxed.bench.report.Recorded;
import io.outboxed.bench.report.Report;
import io.outboxed.bench.report.Run;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.workloads.Stage;
import io.outboxed.bench.workloads.Workload;
import io.outboxed.bench.workloads.Workloads;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code mvn -Pbench}: runs the chosen workloads on the chosen databases. Options are system properties. */
public final class Bench {
    private static final double QUIET = 0.5;
    private static final String INNER_LOOPS = "JMH";

    private final Options options;
    private final Map<String, String> properties;
    private final Path directory;

    private Bench(Options options, Map<String, String> properties) {
        this.options = options;
        this.properties = properties;
        this.directory = options.isFull() && options.report() != null
                ? options.report()
                : options.directory().resolve("report");
    }

    public static void main(String[] arguments) {
        Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        System.exit(new Bench(Options.of(properties), properties).run() ? 0 : 1);
    }

    /** @return whether all targets were met, or a missed one does not matter */
    private boolean run() {
        List<Workload> workloads = options.workloads().stream()
                .filter(id -> !id.equals(INNER_LOOPS))
                .map(Workloads::named)
                .toList();
        Say.line("Machine: " + Machine.description());
        if (Machine.load() > QUIET) {
            Say.line("This machine is busy (load " + Machine.load() + "): the figures will not be reliable");
        }
        if (options.workloads().contains(INNER_LOOPS)) {
            InnerLoops.run(options.directory(), 1);
        }
        if (workloads.isEmpty()) {
            return true;
        }
        List<TargetCheck> missed = new ArrayList<>();
        for (Product product : options.databases()) {
            try (BenchDatabase database = BenchDatabase.start(product, options)) {
                missed.addAll(run(workloads, database));
            }
        }
        missed.forEach(check -> Say.line(
                "MISSED " + check.workload() + " " + check.database() + " " + check.what() + ": " + check.words()));
        Say.line((options.isFull() ? "Report: " : "Not a full run, so the documented figures stay. Report: ")
                + directory.resolve("README.md"));
        return missed.isEmpty() || !options.strict();
    }

    private List<TargetCheck> run(List<Workload> workloads, BenchDatabase database) {
        String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Run run = new Run(
                date, Command.of(properties), Machine.description(), database.id(), Versions.of(options, database));
        Say.line("Versions: " + run.versions());
        Report report = new Report();
        try (Stage stage = new Stage(options, database, report)) {
            for (Workload workload : workloads) {
                Say.progress("%s on %s: %s", workload.id(), database.id(), workload.what());
                workload.run(stage);
                // immediately, so that what is measured is kept if a later workload fails
                Recorded recorded = Recorded.in(directory);
                recorded.add(run, report.results(), report.checks());
                recorded.write(directory);
                new Page(directory, recorded).write(Workloads.titles());
            }
        }
        return report.checks().stream().filter(check -> !check.met()).toList();
    }
}
