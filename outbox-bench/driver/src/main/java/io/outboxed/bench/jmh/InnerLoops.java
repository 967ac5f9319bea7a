package io.outboxed.bench.jmh;

import io.outboxed.bench.Say;
import java.nio.file.Path;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs all JMH benchmarks with their allocation rates. */
public final class InnerLoops {
    private static final TimeValue ITERATION = TimeValue.seconds(2);

    private InnerLoops() {}

    /** @param directory for {@code jmh.json} */
    public static void run(Path directory, int forks) {
        Path file = directory.resolve("jmh.json");
        var options = new OptionsBuilder()
                .include("io\\.outboxed\\..*Benchmark")
                .addProfiler(GCProfiler.class)
                .forks(forks)
                .warmupIterations(3)
                .warmupTime(ITERATION)
                .measurementIterations(5)
                .measurementTime(ITERATION)
                .resultFormat(ResultFormatType.JSON)
                .result(file.toString())
                .build();
        try {
            file.toFile().getParentFile().mkdirs();
            new Runner(options).run();
            Say.line("JMH: " + file);
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH failed", e);
        }
    }
}
