package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Settled;
import io.outboxed.internal.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Records in batches that handlers outside a transaction have succeeded. A fact needs no lease: it is tried until it is in. */
final class Settler {
    private static final long BETWEEN_TRIES_OF_A_HELD_ROW =
            Duration.ofMillis(500).toNanos();

    private final BlockingQueue<Call> successes;
    private final RelayStore store;
    private final int batchSize;
    private final Consumer<List<Call>> settled;
    private final LongSupplier nanoClock;
    private final Outage outage = new Outage(OutboxLog::settlingPostponed, OutboxLog::settlingWorksAgain);
    private List<Call> unfinished = List.of();
    /** Their row, or that of an earlier one of their lane, is in the hands of another transaction, possibly for long. */
    private final List<Call> held = new ArrayList<>();

    private long heldUntil;

    /** @param successes where workers put those of this settler's lanes */
    Settler(
            RelayStore store,
            BlockingQueue<Call> successes,
            int batchSize,
            Consumer<List<Call>> settled,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.store = store;
        this.successes = successes;
        this.batchSize = batchSize;
        this.settled = settled;
    }

    boolean isIdle() {
        return successes.isEmpty() && unfinished.isEmpty() && held.isEmpty();
    }

    /**
     * Waits for successes and records what has come together.
     *
     * @return false if the database could not be reached: call again later
     */
    boolean settleNext(long waitMillis) throws InterruptedException {
        if (unfinished.isEmpty()) {
            unfinished = nextBatch(waitMillis);
        }
        if (unfinished.isEmpty()) {
            return true;
        }
        try {
            settle(unfinished);
        } catch (StoreException e) {
            if (!e.isHeld()) {
                outage.failed(e);
                return false;
            }
            return settleEachAlone();
        }
        settled.accept(unfinished);
        unfinished = List.of();
        return true;
    }

    private List<Call> nextBatch(long waitMillis) throws InterruptedException {
        List<Call> batch = new ArrayList<>();
        Call first = successes.poll(waitMillis, TimeUnit.MILLISECONDS);
        if (first != null) {
            batch.add(first);
            successes.drainTo(batch, batchSize - 1);
            batch.removeIf(this::waitsBehindHeld);
        }
        if (!held.isEmpty() && nanoClock.getAsLong() - heldUntil >= 0) {
            batch.addAll(held);
            held.clear();
        }
        return batch;
    }

    private boolean settleEachAlone() {
        List<Call> batch = unfinished;
        for (int i = 0; i < batch.size(); i++) {
            List<Call> alone = batch.subList(i, i + 1);
            if (waitsBehindHeld(batch.get(i))) {
                continue;
            }
            try {
                settle(alone);
                settled.accept(alone);
            } catch (StoreException e) {
                if (!e.isHeld()) {
                    outage.failed(e);
                    unfinished = List.copyOf(batch.subList(i, batch.size()));
                    return false;
                }
                held.addAll(alone);
                heldUntil = nanoClock.getAsLong() + BETWEEN_TRIES_OF_A_HELD_ROW;
            }
        }
        unfinished = List.of();
        return true;
    }

    private boolean waitsBehindHeld(Call call) {
        boolean waits = held.stream().anyMatch(each -> each.run().lane.key == call.run().lane.key);
        if (waits) {
            held.add(call);
        }
        return waits;
    }

    private void settle(List<Call> calls) {
        store.settle(calls.stream()
                .map(call -> new Settled(
                        call.delivery().head(), call.handler(), call.delivery().how()))
                .toList());
        outage.worked();
    }
}
