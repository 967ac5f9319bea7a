package io.outboxed.internal.relay.workers;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.Ack;
import io.outboxed.internal.store.Acks;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.RelayStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Records in batches that handlers outside a transaction have succeeded. A success is a fact and needs no lease, so it
 * is retried until it is stored, unless its row has lost an earlier one.
 */
public final class Acknowledger {
    private static final Outcome RECORDED = new Outcome.Done(false);

    private final BlockingQueue<Call> successes;
    private final Acks store;
    private final int ackBatch;
    private final BiConsumer<List<Call>, Outcome> ended;
    private final LongSupplier nanoClock;
    private final OutageLog outage = new OutageLog(OutboxLog::acksPostponed, OutboxLog::acksRecovered);
    private List<Call> unfinished = List.of();
    /** By lane: a success that can't be recorded now, because its row is locked or rejected, and those behind it. */
    private final Map<Long, HeldLane> held = new HashMap<>();
    /** The messages that are held because the database rejects what is to be recorded. */
    private final Set<UUID> rejected = new HashSet<>();

    private record HeldLane(long until, List<Call> calls) {}

    /**
     * @param successes the queue for this acknowledger's lanes
     * @param ended takes the calls whose success is recorded, or will never be, and how they have ended
     */
    public Acknowledger(
            Acks store,
            BlockingQueue<Call> successes,
            int ackBatch,
            BiConsumer<List<Call>, Outcome> ended,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.store = store;
        this.successes = successes;
        this.ackBatch = ackBatch;
        this.ended = ended;
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
        moveBehindHeld();
        takeDue();
        if (unfinished.isEmpty()) {
            return true;
        }
        try {
            acknowledge(unfinished);
        } catch (ClaimLostException e) {
            outage.worked();
            return acknowledgeEachAlone();
        } catch (StoreException e) {
            if (isOutage(e)) {
                outage.failed(e);
                return false;
            }
            return acknowledgeEachAlone();
        }
        report(unfinished, RECORDED);
        unfinished = List.of();
        return true;
    }

    /** What has left the queue is in a field at once: an error here ends the thread, and its successor continues. */
    private void takeNextBatch(long waitMillis) throws InterruptedException {
        unfinished = new ArrayList<>(ackBatch);
        Call first = successes.poll(waitMillis, TimeUnit.MILLISECONDS);
        if (first != null) {
            unfinished.add(first);
            successes.drainTo(unfinished, ackBatch - 1);
        }
    }

    /** One at a time, unlike removeIf: an error in between leaves none in both lists. */
    private void moveBehindHeld() {
        for (Iterator<Call> calls = unfinished.iterator(); calls.hasNext(); ) {
            if (queueBehindHeld(calls.next())) {
                calls.remove();
            }
        }
    }

    private void takeDue() {
        long now = nanoClock.getAsLong();
        for (Iterator<HeldLane> lanes = held.values().iterator(); lanes.hasNext(); ) {
            HeldLane lane = lanes.next();
            if (now - lane.until() >= 0) {
                unfinished.addAll(lane.calls());
                lanes.remove();
            }
        }
    }

    private boolean acknowledgeEachAlone() {
        for (; !unfinished.isEmpty(); unfinished.remove(0)) {
            Call call = unfinished.get(0);
            if (queueBehindHeld(call)) {
                continue;
            }
            try {
                acknowledge(List.of(call));
                report(List.of(call), RECORDED);
            } catch (ClaimLostException e) {
                outage.worked();
                report(List.of(call), new Outcome.Lost(e));
            } catch (StoreException e) {
                if (isOutage(e)) {
                    outage.failed(e);
                    return false;
                }
                hold(call, e);
            }
        }
        return true;
    }

    /** A row that is locked, or rejected for good, holds up its own lane; anything else concerns all of them. */
    private static boolean isOutage(StoreException failure) {
        return !failure.isRowLocked() && (failure.isTransient() || failure.isForAllRows());
    }

    private void hold(Call call, StoreException cause) {
        long delay = cause.isRowLocked() ? RelayStore.LOCKED_ROW_RETRY_DELAY : RelayStore.REJECTED_RETRY_DELAY;
        Delivery delivery = call.delivery();
        if (!cause.isRowLocked() && rejected.add(delivery.head().id())) {
            OutboxLog.ackRejected(delivery.handler(), delivery.head(), delivery.body(), cause);
        }
        held.put(laneOf(call), new HeldLane(nanoClock.getAsLong() + delay, new ArrayList<>(List.of(call))));
    }

    private boolean queueBehindHeld(Call call) {
        HeldLane lane = held.get(laneOf(call));
        return lane != null && lane.calls().add(call);
    }

    private void report(List<Call> calls, Outcome outcome) {
        if (!rejected.isEmpty()) {
            calls.forEach(call -> rejected.remove(call.delivery().head().id()));
        }
        ended.accept(calls, outcome);
    }

    private static long laneOf(Call call) {
        return call.delivery().head().lane();
    }

    private void acknowledge(List<Call> calls) {
        store.acknowledge(calls.stream()
                .map(call -> new Ack(
                        call.delivery().head(), call.handler(), call.delivery().ackMode()))
                .toList());
        outage.worked();
    }
}
