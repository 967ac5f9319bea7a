package io.outboxed.internal.relay.workers;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.HeldRow;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.Acks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Records in batches that handlers outside a transaction have succeeded. A success is a fact and needs no lease, so it
 * is retried until it is stored.
 */
public final class Acknowledger {
    private final BlockingQueue<Call> successes;
    private final Acks store;
    private final int ackBatchSize;
    private final Consumer<List<Call>> acknowledged;
    private final LongSupplier nanoClock;
    private final OutageLog outage = new OutageLog(OutboxLog::acksPostponed, OutboxLog::acksRecovered);
    private List<Call> unfinished = List.of();
    /** Successes whose row, or an earlier one of their lane, is locked by another transaction, possibly for long. */
    private final List<Call> held = new ArrayList<>();

    private long heldUntil;

    /** @param successes the queue for this acknowledger's lanes */
    public Acknowledger(
            Acks store,
            BlockingQueue<Call> successes,
            int ackBatchSize,
            Consumer<List<Call>> acknowledged,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.store = store;
        this.successes = successes;
        this.ackBatchSize = ackBatchSize;
        this.acknowledged = acknowledged;
    }

    public boolean isIdle() {
        return successes.isEmpty() && unfinished.isEmpty() && held.isEmpty();
    }

    /**
     * Waits for successes and records those that have arrived.
     *
     * @return false if the database could not be reached: call again later
     */
    public boolean acknowledgeNext(long waitMillis) throws InterruptedException {
        if (unfinished.isEmpty()) {
            takeNextBatch(waitMillis);
        }
        if (unfinished.isEmpty()) {
            return true;
        }
        try {
            acknowledge(unfinished);
        } catch (StoreException e) {
            if (!e.isHeld()) {
                outage.failed(e);
                return false;
            }
            return acknowledgeEachAlone();
        }
        acknowledged.accept(unfinished);
        unfinished = List.of();
        return true;
    }

    /** What has left the queue is in a field at once: an error here ends the thread, and its successor goes on. */
    private void takeNextBatch(long waitMillis) throws InterruptedException {
        unfinished = new ArrayList<>(ackBatchSize + held.size());
        Call first = successes.poll(waitMillis, TimeUnit.MILLISECONDS);
        if (first != null) {
            unfinished.add(first);
            successes.drainTo(unfinished, ackBatchSize - 1);
            unfinished.removeIf(this::queueBehindHeld);
        }
        if (!held.isEmpty() && nanoClock.getAsLong() - heldUntil >= 0) {
            unfinished.addAll(held);
            held.clear();
        }
    }

    private boolean acknowledgeEachAlone() {
        List<Call> batch = unfinished;
        for (int i = 0; i < batch.size(); i++) {
            List<Call> alone = batch.subList(i, i + 1);
            if (queueBehindHeld(batch.get(i))) {
                continue;
            }
            try {
                acknowledge(alone);
                acknowledged.accept(alone);
            } catch (StoreException e) {
                if (!e.isHeld()) {
                    outage.failed(e);
                    unfinished = List.copyOf(batch.subList(i, batch.size()));
                    return false;
                }
                held.addAll(alone);
                heldUntil = nanoClock.getAsLong() + HeldRow.RETRY_DELAY;
            }
        }
        unfinished = List.of();
        return true;
    }

    private boolean queueBehindHeld(Call call) {
        boolean waits = held.stream().anyMatch(each -> laneOf(each) == laneOf(call));
        if (waits) {
            held.add(call);
        }
        return waits;
    }

    private static long laneOf(Call call) {
        return call.delivery().head().lane();
    }

    private void acknowledge(List<Call> calls) {
        store.acknowledge(calls.stream()
                .map(call -> new Ack(
                        call.delivery().head(), call.handler(), call.delivery().how()))
                .toList());
        outage.worked();
    }
}
