package io.outboxed.internal.relay;

import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Waiting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** All lanes in this node's memory; owned by the loop. Keyed by message id, never by seq, which a restore gives out again. */
final class Lanes {
    private final Map<Long, Lane> lanes = new HashMap<>();
    private final LinkedHashSet<Lane> runnable = new LinkedHashSet<>();
    private final Set<UUID> messages = new HashSet<>();
    private final Map<Integer, Integer> windowRows = new HashMap<>();
    /** Read by lane: they have room of their own, or a few aggregates with long backlogs would take all of it. */
    private final Set<UUID> byLane = new HashSet<>();
    /** Calls that still run although their shard was lost: their lane must not start again on this node before they end. */
    private final Map<Long, Integer> orphans = new HashMap<>();

    private final Map<Integer, Integer> orphansPerShard = new HashMap<>();

    int size() {
        return messages.size();
    }

    /** Messages that came with the windows of their shards. */
    int fromWindows() {
        return messages.size() - byLane.size();
    }

    int fromWindow(int shard) {
        return windowRows.getOrDefault(shard, 0);
    }

    /** Messages that were read by lane. */
    int byLane() {
        return byLane.size();
    }

    boolean holds(UUID message) {
        return messages.contains(message);
    }

    Lane get(long key) {
        return lanes.get(key);
    }

    Lane open(long key, int shard) {
        return lanes.computeIfAbsent(key, k -> new Lane(k, shard));
    }

    /** @return false if the lane has seen a higher number before */
    boolean append(Lane lane, Head head) {
        boolean inOrder = lane.append(head);
        if (messages.add(head.id())) {
            windowRows.merge(head.shard(), 1, Integer::sum);
        }
        touch(lane);
        return inOrder;
    }

    /** From now on it takes no room of its shard's window. */
    void becomesLong(Lane lane) {
        lane.isLong = true;
        for (Head head : lane.queue) {
            if (byLane.add(head.id())) {
                leftWindow(head);
            }
        }
    }

    /** The next rows of a lane whose queue is empty. */
    void appendPage(Lane lane, List<Head> page) {
        for (Head head : page) {
            if (!rememberByLane(head)) {
                break;
            }
            lane.append(head);
        }
        touch(lane);
    }

    void putPage(Lane lane, String handler, List<Waiting> page) {
        Deque<Waiting> fresh = new ArrayDeque<>();
        for (Waiting each : page) {
            if (rememberByLane(each.head())) {
                fresh.addLast(each);
            } else {
                break;
            }
        }
        if (!fresh.isEmpty()) {
            lane.waiting.put(handler, fresh);
        }
        touch(lane);
    }

    void dropPage(Lane lane, String handler) {
        Deque<Waiting> page = lane.waiting.remove(handler);
        if (page != null) {
            page.forEach(each -> forget(each.head()));
        }
    }

    /** Takes the next lanes that can run and are not held back by a call of a lost lease. */
    List<Lane> takeRunnable(int limit) {
        List<Lane> taken = new ArrayList<>();
        for (var each = runnable.iterator(); each.hasNext() && taken.size() < limit; ) {
            Lane lane = each.next();
            if (!orphans.containsKey(lane.key)) {
                each.remove();
                taken.add(lane);
            }
        }
        return taken;
    }

    /** Ends the lane's first run; its message leaves memory. */
    void finish(Run run) {
        Lane lane = run.lane;
        lane.runs.remove(run);
        if (run.waiting == null) {
            lane.queue.pollFirst();
        } else {
            Deque<Waiting> page = lane.waiting.get(run.waiting.handler());
            if (page != null) {
                page.pollFirst();
                if (page.isEmpty()) {
                    lane.waiting.remove(run.waiting.handler());
                }
            }
        }
        forget(run.head);
        touch(lane);
    }

    /** Puts a run back: it was not started. */
    void putBack(Run run) {
        run.lane.runs.remove(run);
        touch(run.lane);
    }

    /** Drops everything known of a lane; the rows are read again. Calls that still run become orphans. */
    void drop(Lane lane) {
        for (Run run : lane.runs) {
            if (run.calling) {
                run.cancelled = true;
                orphans.merge(lane.key, 1, Integer::sum);
                orphansPerShard.merge(lane.shard, 1, Integer::sum);
            }
        }
        lane.runs.clear();
        lane.queue.forEach(this::forget);
        lane.waiting.values().forEach(page -> page.forEach(each -> forget(each.head())));
        lane.queue.clear();
        lane.waiting.clear();
        lanes.remove(lane.key);
        runnable.remove(lane);
    }

    void dropShard(int shard) {
        for (Lane lane : List.copyOf(lanes.values())) {
            if (lane.shard == shard) {
                drop(lane);
            }
        }
    }

    /** Whether this run is still under way in its lane; a run of a lost shard or a dropped lane is not. */
    boolean isCurrent(Run run) {
        return lanes.get(run.lane.key) == run.lane && run.lane.runs.contains(run);
    }

    /**
     * The call of a run that was dropped with its shard has ended.
     *
     * @return its lane, if it may start again on this node now: what was read of it meanwhile may be recorded by now
     */
    Optional<Lane> orphanEnded(Run run) {
        if (!run.cancelled) {
            return Optional.empty();
        }
        orphans.computeIfPresent(run.lane.key, (key, count) -> count == 1 ? null : count - 1);
        orphansPerShard.computeIfPresent(run.lane.shard, (key, count) -> count == 1 ? null : count - 1);
        return orphans.containsKey(run.lane.key) ? Optional.empty() : Optional.ofNullable(lanes.get(run.lane.key));
    }

    boolean anyRunning(int shard) {
        return orphansPerShard.containsKey(shard)
                || lanes.values().stream().anyMatch(lane -> lane.shard == shard && !lane.runs.isEmpty());
    }

    boolean anyRunning() {
        return !orphans.isEmpty() || lanes.values().stream().anyMatch(lane -> !lane.runs.isEmpty());
    }

    /** Forgets the lane if nothing is in it, else offers it to the next start. */
    void touch(Lane lane) {
        if (lane.isEmpty()) {
            lanes.remove(lane.key, lane);
            runnable.remove(lane);
        } else if (lane.isRunnable()) {
            runnable.add(lane);
        }
    }

    private boolean rememberByLane(Head head) {
        return messages.add(head.id()) && byLane.add(head.id());
    }

    private void forget(Head head) {
        if (messages.remove(head.id()) && !byLane.remove(head.id())) {
            leftWindow(head);
        }
    }

    private void leftWindow(Head head) {
        windowRows.computeIfPresent(head.shard(), (shard, count) -> count == 1 ? null : count - 1);
    }
}
