package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.HeldRow;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Counts a start of the messages that may have been running when their node died, before they run again. */
final class SuspectStarts {
    private final RelayStore store;
    private final LoopState state;

    SuspectStarts(RelayStore store, LoopState state) {
        this.store = store;
        this.state = state;
    }

    /** @return the turns that continue: those that are not suspects, and the suspects that were counted */
    List<Turn> count(List<Turn> turns, long now) {
        Map<Lease, List<Turn>> suspects = new LinkedHashMap<>();
        for (Turn turn : turns) {
            if (turn.suspect && !turn.open.isEmpty()) {
                suspects.computeIfAbsent(turn.lease, key -> new ArrayList<>()).add(turn);
            }
        }
        Set<Turn> locked = new HashSet<>();
        // note each count immediately: the statement for the next shard may fail, and counting again would look like a
        // death
        suspects.forEach((lease, ofShard) -> locked.addAll(count(lease, ofShard, now)));
        return turns.stream().filter(turn -> !locked.contains(turn)).toList();
    }

    private List<Turn> count(Lease lease, List<Turn> suspects, long now) {
        Set<Long> firstOfLanes = new HashSet<>();
        for (Turn turn : suspects) {
            if (suspectsOf(turn).isFirstOfLane(turn.head)) {
                firstOfLanes.add(turn.lane.key);
            }
        }
        suspects.forEach(turn -> suspectsOf(turn).counting(turn.head));
        List<MessageHead> heads = suspects.stream().map(turn -> turn.head).toList();
        Set<UUID> started = start(lease, heads, firstOfLanes);
        List<Turn> locked = new ArrayList<>();
        for (Turn turn : suspects) {
            if (started.contains(turn.head.id())) {
                counted(turn);
            } else {
                state.readAgainLater(turn.lane, now + HeldRow.RETRY_DELAY);
                locked.add(turn);
            }
        }
        return locked;
    }

    private Set<UUID> start(Lease lease, List<MessageHead> heads, Set<Long> firstOfLanes) {
        try {
            return new HashSet<>(store.writes().start(lease, heads, firstOfLanes));
        } catch (ShardLockedException e) {
            state.writes().lockedElsewhere(lease);
            return Set.of();
        }
    }

    private void counted(Turn turn) {
        if (suspectsOf(turn).isFirstOfLane(turn.head)) {
            turn.lane.raiseVersionsBehind(turn.head);
        }
        suspectsOf(turn).counted(turn.head);
        turn.head = turn.head.withVersion(turn.head.version() + 1);
    }

    private CrashSuspects suspectsOf(Turn turn) {
        return state.shards().get(turn.lane.shard).suspects;
    }
}
