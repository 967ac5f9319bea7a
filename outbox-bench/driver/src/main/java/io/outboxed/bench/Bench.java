package io.outboxed.bench;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Product;
import io.outboxed.bench.report.Report;
import io.outboxed.bench.workloads.Stage;
import io.outboxed.bench.workloads.Workload;
import io.outboxed.bench.workloads.Workloads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code mvn -Pbench}: runs the chosen workloads on the chosen databases. Options are system properties. */
public final class Bench {
    private static final double QUIET = 0.5;

    private final Options options;
    private final Report report = new Report();

    private Bench(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) {
        Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        new Bench(Options.of(properties)).run();
    }

    private void run() {
        List<Workload> workloads =
                options.workloads().stream().map(Workloads::named).toList();
        Say.line("Machine: " + Machine.description());
        if (Machine.load() > QUIET) {
            Say.line("This machine is not quiet (load " + Machine.load() + "): expect figures that mean little");
        }
        for (Product product : options.databases()) {
            try (BenchDatabase database = BenchDatabase.start(product, options);
                    Stage stage = new Stage(options, database, report)) {
                Say.line("Database: " + database.description());
                for (Workload workload : workloads) {
                    Say.progress("%s on %s: %s", workload.id(), database.id(), workload.what());
                    workload.run(stage);
                }
            }
        }
    }
}
