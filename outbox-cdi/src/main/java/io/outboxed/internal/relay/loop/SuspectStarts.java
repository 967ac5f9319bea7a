package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.store.FencedWrite;
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
import java.util.stream.Collectors;

/**
 * Counts a start of the messages that may have been running when their node died, before they run again. If the first
 * one of a lane is not called, for example because its handler is paused, it is not counted, but the rows behind it are
 * taken from their last owner all the same. If it is not called after it was counted, the count stays until it runs, or
 * until the shard leaves.
 */
final class SuspectStarts {
    private final RelayStore store;
    private final LoopState state;

    SuspectStarts(RelayStore store, LoopState state) {
        this.store = store;
        this.state = state;
    }

    /** @return the turns that continue: all but the suspects in lanes with a locked row */
    List<Turn> count(List<Turn> turns, long now) {
        Map<Lease, List<Turn>> suspects = new LinkedHashMap<>();
        for (Turn turn : turns) {
            if (turn.suspect && (runs(turn) || suspectsOf(turn).isFirstOfLane(turn.head))) {
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
        List<Turn> running = suspects.stream().filter(SuspectStarts::runs).toList();
        List<Turn> asked = running.stream()
                .filter(turn -> suspectsOf(turn).counting(turn.head))
                .toList();
        Set<UUID> fenced = start(lease, suspects, running, firstOfLanes);
        List<Turn> locked = new ArrayList<>();
        for (Turn turn : suspects) {
            if (fenced.contains(turn.head.id())) {
                fenced(turn);
            } else {
                suspectsOf(turn).locked(turn.head, asked.contains(turn));
                state.readAgainLater(turn.lane.key, turn.lane.shard, now + RelayStore.LOCKED_ROW_RETRY_DELAY);
                locked.add(turn);
            }
        }
        return locked;
    }

    /** What the last owner's transactions have completed meanwhile is no longer suspect. */
    void findLocked(ShardCursor shard) {
        Set<Long> lanes = shard.suspects.lockedLanes();
        if (!lanes.isEmpty()) {
            shard.suspects.found(lanes, store.reads().lanes(lanes, Lane.CAPACITY + 1));
        }
    }

    /** What was counted and is not called is not to pass for a death. To be called when no more turns begin. */
    void revert(ShardCursor shard) {
        List<MessageHead> uncalled = shard.suspects.open().stream()
                .filter(head -> !state.isUnderWay(head.lane()))
                .toList();
        for (MessageHead head : uncalled) {
            state.writes().add(shard.lease, new FencedWrite.RevertStart(head), () -> shard.suspects.ended(head));
        }
    }

    private static boolean runs(Turn turn) {
        return !turn.remaining.isEmpty();
    }

    private Set<UUID> start(Lease lease, List<Turn> suspects, List<Turn> running, Set<Long> firstOfLanes) {
        List<MessageHead> heads = suspects.stream().map(turn -> turn.head).toList();
        Set<UUID> counted = running.stream().map(turn -> turn.head.id()).collect(Collectors.toSet());
        try {
            return new HashSet<>(store.writes().start(lease, heads, counted, firstOfLanes));
        } catch (ShardLockedException e) {
            state.writes().lockedElsewhere(lease);
            return Set.of();
        }
    }

    private void fenced(Turn turn) {
        if (suspectsOf(turn).isFirstOfLane(turn.head)) {
            turn.lane.raiseVersionsBehind(turn.head);
        }
        suspectsOf(turn).fenced(turn.head);
        if (runs(turn)) {
            suspectsOf(turn).counted(turn.head);
            turn.head = turn.head.withVersion(turn.head.version() + 1);
        }
    }

    private CrashSuspects suspectsOf(Turn turn) {
        return state.shards().get(turn.lane.shard).suspects;
    }
}
