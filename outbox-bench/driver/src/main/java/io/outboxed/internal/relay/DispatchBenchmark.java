package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.cluster.Lease;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The cost of the relay's loop per message, from a row that was read to a call, and to the end of its turn; without
 * statements, handlers and threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DispatchBenchmark {
    private static final int MESSAGES = 10_000;
    private static final String OWNER = "bench";

    private final RowsInMemory rows = new RowsInMemory();
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls = new CallQueue(8);
    private final LeaseClock leaseClock =
            new LeaseClock(OutboxConfig.DEFAULTS.relay().lease(), System::nanoTime, System::currentTimeMillis);
    private RelayLoop relay;

    @Setup
    public void holdAllShards() {
        relay = new RelayLoop(
                new RelayDependencies(
                        rows.store(),
                        new OneOutsideHandler(Set.of(new HandlerKey(RowsInMemory.TYPE, RowsInMemory.HANDLER))),
                        OutboxConfig.DEFAULTS,
                        System::nanoTime,
                        System::currentTimeMillis,
                        () -> 0.5,
                        new Notifications() {}),
                mailbox,
                calls,
                leaseClock);
        IntStream.range(0, LaneHash.SHARDS).forEach(shard -> relay.gained(new Lease(shard, OWNER, 1), false));
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void fetchToDispatch() {
        rows.fill(MESSAGES);
        while (!rows.isEmpty()) {
            leaseClock.beat(leaseClock.stamp(OWNER));
            mailbox.signal(RowsInMemory.ALL_SHARDS);
            relay.iterate();
            for (Call first = calls.poll(); first != null; first = calls.poll()) {
                calls.ended(first);
                for (Call call = first; call != null; call = call.next()) {
                    rows.acknowledge(call.delivery().head());
                    relay.ended(call, new Outcome.Done(false));
                }
            }
        }
    }
}
