package io.outboxed.internal.relay.loop;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.log.OutboxLog;
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
    private final Map<Lease, List<Pending>> pending = new LinkedHashMap<>();
    /** The first one of what ran after a commit of this flush. */
    private RuntimeException failure;

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

    /**
     * @return false if the database could not be reached; what is left is tried again with the next call
     * @throws RuntimeException that of what ran after a commit; no write is lost by it
     */
    boolean flush() {
        takeUpHeld();
        boolean reached = true;
        while (reached && !pending.isEmpty()) {
            Lease lease = pending.keySet().iterator().next();
            reached = flush(lease, pending.remove(lease));
        }
        RuntimeException failed = failure;
        failure = null;
        if (failed != null) {
            throw failed;
        }
        return reached;
    }

    private boolean flush(Lease lease, List<Pending> writes) {
        int done = 0;
        while (done < writes.size()) {
            List<Pending> batch = writes.subList(done, Math.min(writes.size(), done + MOST_IN_ONE_TRANSACTION));
            int ofBatch = transact(lease, batch);
            done += ofBatch;
            if (ofBatch < batch.size()) {
                keep(lease, writes.subList(done, writes.size()));
                return false;
            }
        }
        return true;
    }

    /** @return how many of them, from the first one on, are dealt with; not all if the database could not be reached */
    private int transact(Lease lease, List<Pending> writes) {
        try {
            store.write(lease, writes.stream().map(Pending::write).toList());
        } catch (LeaseLostException e) {
            lost.accept(lease);
            return writes.size();
        } catch (StoreException e) {
            if (!e.isHeld() && e.isTransient()) {
                outage.failed(e);
                return 0;
            }
            return writes.size() > 1 ? eachAlone(lease, writes) : alone(lease, writes.get(0), e);
        }
        outage.worked();
        writes.forEach(this::written);
        return writes.size();
    }

    private int eachAlone(Lease lease, List<Pending> writes) {
        int done = 0;
        while (done < writes.size() && transact(lease, writes.subList(done, done + 1)) > 0) {
            done++;
        }
        return done;
    }

    private int alone(Lease lease, Pending write, StoreException cause) {
        if (cause.isHeld()) {
            held.add(new Held(lease, write, nanoClock.getAsLong() + BETWEEN_TRIES_OF_A_HELD_ROW));
        } else {
            OutboxLog.writeRejected(lease, write.write(), cause);
            refused.accept(write.lane());
        }
        return 1;
    }

    /** It is stored, whatever it leads to. */
    private void written(Pending write) {
        try {
            write.then().run();
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
        }
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

    private void keep(Lease lease, List<Pending> writes) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).addAll(0, writes);
    }

    private record Held(Lease lease, Pending pending, long until) {}

    private record Pending(FencedWrite write, Lane lane, Runnable then) {}
}
