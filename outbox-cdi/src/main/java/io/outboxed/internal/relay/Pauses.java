package io.outboxed.internal.relay;

import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What operators have paused, as last read by this loop, and the shards in which lanes have to be woken because of it:
 * those of this node after a resume, and each one that it takes over, whose last owner may not have noticed a resume.
 */
public final class Pauses {
    public static final Duration BETWEEN_READS = Duration.ofMillis(500);

    private final HandlerRegistrations store;
    private final Set<Lease> toWake = new LinkedHashSet<>();
    private Map<PauseTarget, Pause> inForce = Map.of();
    /** A copy for other threads. */
    private volatile List<Pause> shown = List.of();

    private boolean wasRead;
    private long readAt;

    public Pauses(HandlerRegistrations store) {
        this.store = store;
    }

    /**
     * Reads them twice a second at most. A loop iterates at least once a second, so that it notices within one.
     *
     * @param held the shards of this node
     * @return whether something is paused that was not before
     */
    public boolean refresh(long now, Collection<Lease> held) {
        if (wasRead && now - readAt < BETWEEN_READS.toNanos()) {
            return false;
        }
        List<Pause> found = store.pauses();
        readAt = now;
        wasRead = true;
        Map<PauseTarget, Pause> before = inForce;
        Map<PauseTarget, Pause> after = new HashMap<>();
        found.forEach(pause -> after.put(pause.target(), pause));
        inForce = after;
        shown = List.copyOf(found);
        found.stream().filter(pause -> !before.containsKey(pause.target())).forEach(OutboxLog::paused);
        if (!after.keySet().containsAll(before.keySet())) {
            before.keySet().stream()
                    .filter(target -> !after.containsKey(target))
                    .forEach(OutboxLog::resumed);
            toWake.addAll(held);
        }
        return !before.keySet().containsAll(after.keySet());
    }

    /** Nothing is to be called at all. */
    public boolean coverEverything() {
        return inForce.containsKey(PauseTarget.everything());
    }

    public boolean covers(String type, String handler) {
        return !inForce.isEmpty() && inForce.keySet().stream().anyMatch(target -> target.covers(type, handler));
    }

    /** Called by other threads too. */
    public List<Pause> inForce() {
        return shown;
    }

    public void wake(Lease lease) {
        toWake.add(lease);
    }

    /**
     * Lanes that wait for a resume become due: those of one shard, because they may be very many and the loop's other
     * work waits meanwhile.
     *
     * @param woken wakes those of this shard; false: not now, so it is tried again later
     * @return whether there is another one to try at once
     */
    public boolean wakeLanes(Predicate<Lease> woken) {
        for (var each = toWake.iterator(); each.hasNext(); ) {
            if (woken.test(each.next())) {
                each.remove();
                return each.hasNext();
            }
        }
        return false;
    }
}
