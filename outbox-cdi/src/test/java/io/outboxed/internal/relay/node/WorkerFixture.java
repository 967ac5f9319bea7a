package io.outboxed.internal.relay.node;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.Reports;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.spi.FailureClassifier;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/** A worker whose only handler is a piece of code, and calls of that handler. */
final class WorkerFixture {
    private static final String NODE = "me";

    private WorkerFixture() {}

    static Worker worker(CallQueue calls, LongSupplier nanoClock, Runnable handler) {
        LeaseClock leaseClock = new LeaseClock(Duration.ofDays(1), nanoClock, () -> nanoClock.getAsLong() / 1_000_000);
        leaseClock.beat(leaseClock.stamp(NODE));
        RelayDependencies parts = new RelayDependencies(
                new MemoryStore(nanoClock).ports(),
                new Ship(handler),
                OutboxConfig.DEFAULTS,
                nanoClock,
                () -> 0,
                () -> 0.5,
                new Notifications() {});
        RunningCalls running = new RunningCalls(calls::late, nanoClock, Duration.ofMinutes(1));
        return new Worker(parts, calls, running, leaseClock, Reports.to(parts, call -> {}, (call, outcome) -> {}));
    }

    static Call call() {
        MessageHead head = new MessageHead(
                1, UUID.randomUUID(), 0, 0, "placed", "order", MessageState.READY, 0, 0, 0, 0, false, null, null);
        return new Call(
                () -> false, new Delivery(head, null, "ship", 1, AckMode.DELETE_MESSAGE), new Lease(0, NODE, 1), null);
    }

    private record Ship(Runnable handler) implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(new HandlerKey("placed", "ship"));
        }

        @Override
        public String group(HandlerKey key) {
            return key.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey key) {
            return HandlerMode.TRANSACTIONAL;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            handler.run();
            return new Outcome.Done(true);
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
