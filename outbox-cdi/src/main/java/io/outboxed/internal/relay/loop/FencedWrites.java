package io.outboxed.internal.relay.loop;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.relay.OutageLog;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.FencedWriter;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Collects what is decided and writes it, in one fenced transaction for each shard. */
final class FencedWrites {
    private static final int MOST_IN_ONE_TRANSACTION = 200;
    private static final long BETWEEN_TRIES_OF_A_HELD_ROW =
            Duration.ofMillis(500).toNanos();

    private final FencedWriter store;
    private final Consumer<Lease> lost;
    private final Consumer<Lane> refused;
    private final LongSupplier nanoClock;
    /** Their rows are locked by another transaction, possibly for long: everything else goes on. */
    private final List<Held> held = new ArrayList<>();

    private final OutageLog outage = new OutageLog(OutboxLog::writesPostponed, OutboxLog::writesRecovered);
    private Map<Lease, List<Pending>> pending = new LinkedHashMap<>();

    /**
     * @param lost is told of a lease that another node has taken
     * @param refused is told of a lane whose write the database refuses for good
     */
    FencedWrites(FencedWriter store, Consumer<Lease> lost, Consumer<Lane> refused, LongSupplier nanoClock) {
        this.store = store;
        this.lost = lost;
        this.refused = refused;
        this.nanoClock = nanoClock;
    }

    /** @param then runs after the commit */
    void add(Lease lease, Lane lane, FencedWrite write, Runnable then) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).add(new Pending(write, lane, then));
    }

    void drop(Lease lease) {
        pending.remove(lease);
        held.removeIf(each -> each.lease().equals(lease));
    }

    boolean isEmpty() {
        return pending.isEmpty() && held.isEmpty();
    }

    boolean anyToFlushNow() {
        return !pending.isEmpty();
    }

    /** @return false if the database could not be asked; what is left is tried again with the next call */
    boolean flush() {
        boolean reached = true;
        takeUpHeld();
        while (reached && !pending.isEmpty()) {
            Map<Lease, List<Pending>> batch = pending;
            pending = new LinkedHashMap<>();
            for (var each : batch.entrySet()) {
                if (reached) {
                    reached = flush(each.getKey(), each.getValue());
                } else {
                    keep(each.getKey(), each.getValue());
                }
            }
        }
        return reached;
    }

    private boolean flush(Lease lease, List<Pending> writes) {
        for (int from = 0; from < writes.size(); from += MOST_IN_ONE_TRANSACTION) {
            int to = Math.min(writes.size(), from + MOST_IN_ONE_TRANSACTION);
            if (!transact(lease, writes.subList(from, to))) {
                keep(lease, writes.subList(from, writes.size()));
                return false;
            }
        }
        return true;
    }

    private boolean transact(Lease lease, List<Pending> writes) {
        try {
            store.write(lease, writes.stream().map(Pending::write).toList());
        } catch (LeaseLostException e) {
            lost.accept(lease);
            return true;
        } catch (StoreException e) {
            if (e.isHeld()) {
                return setAside(lease, writes);
            }
            if (e.isTransient()) {
                outage.failed(e);
                return false;
            }
            return oneByOne(lease, writes, e);
        }
        outage.worked();
        written(writes);
        return true;
    }

    /** They are stored, whatever one of them leads to. */
    private static void written(List<Pending> writes) {
        RuntimeException first = null;
        for (Pending each : writes) {
            try {
                each.then().run();
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private boolean oneByOne(Lease lease, List<Pending> writes, StoreException cause) {
        if (writes.size() == 1) {
            OutboxLog.writeRejected(lease, writes.get(0).write(), cause);
            refused.accept(writes.get(0).lane());
            return true;
        }
        return eachAlone(lease, writes);
    }

    private boolean setAside(Lease lease, List<Pending> writes) {
        if (writes.size() > 1) {
            return eachAlone(lease, writes);
        }
        held.add(new Held(lease, writes.get(0), nanoClock.getAsLong() + BETWEEN_TRIES_OF_A_HELD_ROW));
        return true;
    }

    private void takeUpHeld() {
        long now = nanoClock.getAsLong();
        for (var each = held.iterator(); each.hasNext(); ) {
            Held next = each.next();
            if (now - next.until() >= 0) {
                each.remove();
                keep(next.lease(), List.of(next.pending()));
            }
        }
    }

    private boolean eachAlone(Lease lease, List<Pending> writes) {
        for (int i = 0; i < writes.size(); i++) {
            if (!transact(lease, writes.subList(i, i + 1))) {
                keep(lease, writes.subList(i + 1, writes.size()));
                keep(lease, writes.subList(i, i + 1));
                return false;
            }
        }
        return true;
    }

    private void keep(Lease lease, List<Pending> writes) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).addAll(0, writes);
    }

    private record Held(Lease lease, Pending pending, long until) {}

    private record Pending(FencedWrite write, Lane lane, Runnable then) {}
}
