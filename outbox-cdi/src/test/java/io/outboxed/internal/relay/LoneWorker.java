package io.outboxed.internal.relay;

import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Acknowledger;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.CallReporter;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MemoryTransaction;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The worker and the acknowledger of a {@link LoneRelay}: what they store and report when a test ends a call. */
final class LoneWorker {
    private final MemoryStore store;
    private final Mailbox mailbox;
    private final LongSupplier nanos;
    private final Worker worker;
    private final Acknowledger acknowledger;
    /** There is no memory for the next report. */
    boolean outOfMemory;

    LoneWorker(
            RelayDependencies parts,
            RelayLoop relay,
            CallQueue calls,
            LeaseClock leaseClock,
            Mailbox mailbox,
            MemoryStore store) {
        this.store = store;
        this.mailbox = mailbox;
        this.nanos = parts.nanoClock();
        AckQueues unrecorded = new AckQueues(1);
        this.worker = new Worker(
                parts,
                calls,
                new RunningCalls(calls::late, nanos, Duration.ofMinutes(1)),
                leaseClock,
                new CallReporter(parts, this::post, relay, unrecorded::add));
        this.acknowledger = new Acknowledger(
                parts.store().acks(),
                unrecorded.queues().get(0),
                parts.config().relay().ackBatch(),
                (batch, outcome) -> mailbox.post(() -> relay.acknowledged(batch, outcome)),
                nanos);
    }

    void report(Call call, Outcome outcome) {
        worker.report(call, outcome, nanos.getAsLong());
    }

    /** In a transaction that claims the row. */
    void succeeds(Call call) {
        try (var transaction = new Committed(call)) {
            transaction.acknowledge();
        }
        report(call, new Outcome.Done(true));
    }

    void recordsSuccesses() throws InterruptedException {
        acknowledger.acknowledgeNext(0);
    }

    private void post(Runnable report) {
        if (outOfMemory) {
            outOfMemory = false;
            throw new OutOfMemoryError("in a test");
        }
        mailbox.post(report);
    }

    private final class Committed implements AutoCloseable {
        private final Delivery delivery;
        private final MemoryTransaction transaction = store.begin();

        private Committed(Call call) {
            this.delivery = call.delivery();
        }

        private void acknowledge() {
            transaction.claim(delivery.head());
            transaction.acknowledge(delivery.head(), delivery.handler(), delivery.ackMode());
        }

        @Override
        public void close() {
            transaction.commit();
        }
    }
}
