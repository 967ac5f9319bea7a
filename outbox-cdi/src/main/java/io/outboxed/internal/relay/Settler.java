package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Settled;
import io.outboxed.internal.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Records in batches that handlers outside a transaction have succeeded. A fact needs no lease: it is tried until it is in. */
final class Settler {
    private final LinkedBlockingQueue<Call> queue = new LinkedBlockingQueue<>();
    private final RelayStore store;
    private final int batchSize;
    private final Consumer<Call> settled;
    private List<Call> unfinished = List.of();

    Settler(RelayStore store, int batchSize, Consumer<Call> settled) {
        this.store = store;
        this.batchSize = batchSize;
        this.settled = settled;
    }

    void add(Call call) {
        queue.add(call);
    }

    boolean isIdle() {
        return queue.isEmpty() && unfinished.isEmpty();
    }

    /**
     * Waits for successes and records what has come together.
     *
     * @return false if the database could not be reached: call again later
     */
    boolean settleNext(long waitMillis) throws InterruptedException {
        if (unfinished.isEmpty()) {
            Call first = queue.poll(waitMillis, TimeUnit.MILLISECONDS);
            if (first == null) {
                return true;
            }
            List<Call> batch = new ArrayList<>();
            batch.add(first);
            queue.drainTo(batch, batchSize - 1);
            unfinished = batch;
        }
        try {
            store.settle(unfinished.stream()
                    .map(call -> new Settled(
                            call.delivery().head(),
                            call.handler(),
                            call.delivery().how()))
                    .toList());
        } catch (StoreException e) {
            OutboxLog.settlingPostponed(unfinished.size(), e);
            return false;
        }
        List<Call> done = unfinished;
        unfinished = List.of();
        done.forEach(settled);
        return true;
    }
}
