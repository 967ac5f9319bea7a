package io.outboxed.internal.capture;

import io.outboxed.PublishOptions;
import io.outboxed.bench.jmh.Order;
import io.outboxed.internal.capture.json.JsonbPayloadCodec;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.signal.RegistryVersion;
import io.outboxed.internal.tracing.Propagators;
import io.outboxed.internal.tracing.Tracing;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * From an event to its row, including JSON, without the database. In this package because it needs package-private
 * classes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CaptureBenchmark {
    private final RowFactory factory = new RowFactory(
            new PayloadText(new JsonbPayloadCodec(), OutboxConfig.DEFAULTS),
            new RegistryVersion(),
            Tracing.NONE,
            Propagators.none(),
            type -> Optional.empty(),
            OutboxConfig.DEFAULTS);
    private final Order order = Order.sample();

    @Benchmark
    public Object row() {
        return factory.row(order, PublishOptions.none());
    }
}
