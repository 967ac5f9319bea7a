package io.outboxed.bench.jmh;

import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The cost of JSON-B per event: encoding it when it is published, decoding it when it is handled. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class JsonBenchmark {
    private final Jsonb jsonb = JsonbBuilder.create();
    private final Order order = Order.sample();
    private final String text = jsonb.toJson(order);

    @Benchmark
    public String encode() {
        return jsonb.toJson(order);
    }

    @Benchmark
    public Order decode() {
        return jsonb.fromJson(text, Order.class);
    }
}
