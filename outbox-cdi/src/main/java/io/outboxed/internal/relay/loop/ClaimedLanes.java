package io.outboxed.internal.relay.loop;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Claims lanes, and reads those that were claimed from their first row. */
final class ClaimedLanes {
    /** While long lanes wait for room. */
    private static final long BETWEEN_LONG_LANES = Duration.ofSeconds(1).toNanos();

    private final MessageReads store;
    private final LoopState state;
    private final LaneClaims claims;
    private final LongLaneReader longLanes;
    private final Adoption adoption;
    private final LongSupplier nanoClock;
    private long lastLongAt;

    ClaimedLanes(
            MessageReads store,
            LoopState state,
            LaneClaims claims,
            LongLaneReader longLanes,
            Adoption adoption,
            LongSupplier nanoClock) {
        this.store = store;
        this.state = state;
        this.claims = claims;
        this.longLanes = longLanes;
        this.adoption = adoption;
        this.nanoClock = nanoClock;
        this.lastLongAt = nanoClock.getAsLong();
    }

    /** @return whether any of these lanes, in which something waits, is claimed */
    boolean claim(Collection<Long> lanes) {
        return claims.lock(lanes, this::firstRows, rows -> bringIn(rows, false));
    }

    /** Claims those of these lanes, which were found in windows, for which there is room. */
    void claimIfRoom(Collection<Long> lanes) {
        claims.lock(lanes, this::firstRows, rows -> bringIn(rows, true));
    }

    void readDropped() {
        claims.readDropped(this::firstRows, rows -> bringIn(rows, false));
    }

    /** Other nodes may have worked on these lanes since this one last did. */
    private List<MessageHead> firstRows(Set<Long> locked) {
        adoption.forget(locked);
        List<MessageHead> rows = store.lanes(locked, Lane.CAPACITY + 1);
        state.shards().all().forEach(shard -> shard.suspects.found(locked, rows));
        return rows;
    }

    /**
     * Completely, or as a long lane: windows may be at a later page, and must not bring in what follows too early.
     *
     * @param mayLeave another node may have the room that this one lacks
     * @return lanes to give back
     */
    private Set<Long> bringIn(List<MessageHead> rows, boolean mayLeave) {
        int spare = longLanes.spare();
        Map<Long, List<MessageHead>> lanes = byLane(rows);
        Map<Long, Set<String>> waits =
                waits(lanes.values().stream().map(ready -> ready.get(0)).toList());
        Set<Long> left = new LinkedHashSet<>();
        for (Map.Entry<Long, List<MessageHead>> each : lanes.entrySet()) {
            List<MessageHead> ready = each.getValue();
            int number = ready.get(0).shard();
            ShardCursor shard = state.shards().get(number);
            if (shard == null) {
                continue;
            }
            boolean fits = ready.size() <= Math.min(Lane.CAPACITY, state.lanes().windowRoom())
                    && ready.size() <= state.lanes().windowRoom(number);
            if (!fits && mayLeave && !mayKeepLong(number, spare--)) {
                left.add(each.getKey());
                continue;
            }
            Lane lane = state.open(each.getKey(), number);
            lane.addWaitingGroups(waits.get(each.getKey()));
            if (lane.parked || ready.stream().anyMatch(MessageHead::delayed) || !fits && !longLanes.add(lane)) {
                lane.parked = true;
                state.park(lane, ready);
            } else if (fits) {
                ready.forEach(head -> state.lanes().append(lane, head));
            } else {
                // its pages are read in the next iteration
                shard.needsRead = true;
            }
        }
        return left;
    }

    /** Another node may never come: from time to time a lane is kept although others wait for room here. */
    private boolean mayKeepLong(int shard, int spare) {
        long now = nanoClock.getAsLong();
        boolean may = spare > 0 && longLanes.hasRoom(shard) || now - lastLongAt >= BETWEEN_LONG_LANES;
        if (may) {
            lastLongAt = now;
        }
        return may;
    }

    private static Map<Long, List<MessageHead>> byLane(List<MessageHead> rows) {
        return rows.stream()
                .filter(head -> head.status() == MessageState.READY)
                .collect(Collectors.groupingBy(MessageHead::lane, LinkedHashMap::new, Collectors.toList()));
    }

    /** @return the handler groups that wait in those of these lanes that are not in memory, as far as it has to be asked */
    Map<Long, Set<String>> waits(List<MessageHead> heads) {
        Set<Long> unknown = new LinkedHashSet<>();
        for (MessageHead head : heads) {
            // with locks, other nodes make lanes of the same shard wait
            boolean mayWait = claims.isPerLane() || state.shards().waiting().contains(head.shard());
            if (mayWait && state.lanes().get(head.lane()) == null && claims.mayBringIn(head.lane())) {
                unknown.add(head.lane());
            }
        }
        return unknown.isEmpty() ? Map.of() : new HashMap<>(store.waits(unknown));
    }
}
