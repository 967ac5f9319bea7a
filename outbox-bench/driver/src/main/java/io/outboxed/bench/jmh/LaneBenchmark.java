package io.outboxed.bench.jmh;

import io.outboxed.internal.store.LaneHash;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The lane of an aggregate, which needs a SHA-256. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class LaneBenchmark {
    private String aggregate = "4711";

    @Benchmark
    public long lane() {
        return LaneHash.lane("bench", aggregate);
    }
}
