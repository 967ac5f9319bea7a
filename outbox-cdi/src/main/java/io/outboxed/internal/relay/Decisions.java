package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.LeaseLostException;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Collects decisions and carries them out, one fenced transaction for each shard. Owned by the loop. */
final class Decisions {
    private static final int MOST_IN_ONE_TRANSACTION = 200;
    private static final long BETWEEN_TRIES_OF_A_HELD_ROW =
            Duration.ofMillis(500).toNanos();

    private final RelayStore store;
    private final Consumer<Lease> lost;
    private final Consumer<Lane> refused;
    private final LongSupplier nanoClock;
    /** Their row is in the hands of another transaction, possibly for long: everything else goes on. */
    private final List<Held> held = new ArrayList<>();

    private final Outage outage = new Outage(OutboxLog::decisionsPostponed, OutboxLog::decisionsWorkAgain);
    private Map<Lease, List<Pending>> pending = new LinkedHashMap<>();

    /**
     * @param lost is told of a lease that another node has taken
     * @param refused is told of a lane of which the database refuses a decision for good
     */
    Decisions(RelayStore store, Consumer<Lease> lost, Consumer<Lane> refused, LongSupplier nanoClock) {
        this.store = store;
        this.lost = lost;
        this.refused = refused;
        this.nanoClock = nanoClock;
    }

    /** @param then runs after the decision's commit */
    void add(Lease lease, Lane lane, Decision decision, Runnable then) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).add(new Pending(decision, lane, then));
    }

    void drop(Lease lease) {
        pending.remove(lease);
        held.removeIf(each -> each.lease().equals(lease));
    }

    boolean isEmpty() {
        return pending.isEmpty() && held.isEmpty();
    }

    boolean anyToCarryOutNow() {
        return !pending.isEmpty();
    }

    /** @return false if the database could not be asked; what is left is tried again with the next call */
    boolean carryOut() {
        boolean reached = true;
        takeUpHeld();
        while (reached && !pending.isEmpty()) {
            Map<Lease, List<Pending>> batch = pending;
            pending = new LinkedHashMap<>();
            for (var each : batch.entrySet()) {
                if (reached) {
                    reached = carryOut(each.getKey(), each.getValue());
                } else {
                    keep(each.getKey(), each.getValue());
                }
            }
        }
        return reached;
    }

    private boolean carryOut(Lease lease, List<Pending> decisions) {
        for (int from = 0; from < decisions.size(); from += MOST_IN_ONE_TRANSACTION) {
            int to = Math.min(decisions.size(), from + MOST_IN_ONE_TRANSACTION);
            if (!transact(lease, decisions.subList(from, to))) {
                keep(lease, decisions.subList(from, decisions.size()));
                return false;
            }
        }
        return true;
    }

    private boolean transact(Lease lease, List<Pending> decisions) {
        try {
            store.decide(lease, decisions.stream().map(Pending::decision).toList());
        } catch (LeaseLostException e) {
            lost.accept(lease);
            return true;
        } catch (StoreException e) {
            if (e.isHeld()) {
                return setAside(lease, decisions);
            }
            if (e.isTransient()) {
                outage.failed(e);
                return false;
            }
            return oneByOne(lease, decisions, e);
        }
        outage.worked();
        carriedOut(decisions);
        return true;
    }

    /** They are stored, whatever one of them leads to. */
    private static void carriedOut(List<Pending> decisions) {
        RuntimeException first = null;
        for (Pending each : decisions) {
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

    private boolean oneByOne(Lease lease, List<Pending> decisions, StoreException cause) {
        if (decisions.size() == 1) {
            OutboxLog.decisionRefused(lease, decisions.get(0).decision(), cause);
            refused.accept(decisions.get(0).lane());
            return true;
        }
        return eachAlone(lease, decisions);
    }

    private boolean setAside(Lease lease, List<Pending> decisions) {
        if (decisions.size() > 1) {
            return eachAlone(lease, decisions);
        }
        held.add(new Held(lease, decisions.get(0), nanoClock.getAsLong() + BETWEEN_TRIES_OF_A_HELD_ROW));
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

    private boolean eachAlone(Lease lease, List<Pending> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            if (!transact(lease, decisions.subList(i, i + 1))) {
                keep(lease, decisions.subList(i + 1, decisions.size()));
                keep(lease, decisions.subList(i, i + 1));
                return false;
            }
        }
        return true;
    }

    private void keep(Lease lease, List<Pending> decisions) {
        pending.computeIfAbsent(lease, key -> new ArrayList<>()).addAll(0, decisions);
    }

    private record Held(Lease lease, Pending pending, long until) {}

    private record Pending(Decision decision, Lane lane, Runnable then) {}
}
