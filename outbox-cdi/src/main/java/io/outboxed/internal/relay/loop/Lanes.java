package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.PendingDelivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * All lanes in this node's memory. Messages are keyed by id and seq: after a restore the database may assign a seq
 * again, and a replayed dead letter has the id of its message, which may still be in memory for another handler.
 */
final class Lanes {
    private final Map<Long, Lane> lanes = new HashMap<>();
    /** With locks: how many nodes have died. */
    private int deaths;

    private final LinkedHashSet<Lane> runnable = new LinkedHashSet<>();
    private final Map<Key, Source> messages = new HashMap<>();
    private final Map<Source, Integer> rows = new EnumMap<>(Source.class);
    private final Map<Integer, Integer> windowRows = new HashMap<>();
    /** Lanes by key that must not start before a time, whatever is read of them until then. */
    private final Map<Long, Long> resting = new HashMap<>();
    /**
     * Calls that still run although their shard was lost. Until they end, their lane must not start again on this node.
     */
    private final Map<Long, Integer> orphans = new HashMap<>();

    private final Map<Integer, Integer> orphansPerShard = new HashMap<>();
    private final int maxInMemory;
    private final LongConsumer dropped;

    /**
     * @param maxInMemory the most messages that windows bring into memory
     * @param dropped receives the lanes of which everything is forgotten, to be read again
     */
    Lanes(int maxInMemory, LongConsumer dropped) {
        this.maxInMemory = maxInMemory;
        this.dropped = dropped;
    }

    private record Key(UUID id, long seq) {
        private static Key of(MessageHead head) {
            return new Key(head.id(), head.seq());
        }
    }

    /**
     * How a message came into memory. Each source has its own room, so that one kind of backlog can't displace the
     * others.
     */
    enum Source {
        /** In the window of its shard. */
        WINDOW,
        /** Read by lane, from a long backlog. */
        LONG_LANE,
        /** Read by lane, because it waited and is due. */
        WAIT
    }

    int size() {
        return messages.size();
    }

    int count(Source source) {
        return rows.getOrDefault(source, 0);
    }

    int fromWindow(int shard) {
        return windowRows.getOrDefault(shard, 0);
    }

    /** How many more messages windows may bring into memory. */
    int windowRoom() {
        return maxInMemory - count(Source.WINDOW);
    }

    int windowRoom(int shard) {
        return ShardCursor.ROOM - fromWindow(shard);
    }

    boolean holds(MessageHead head) {
        return messages.containsKey(Key.of(head));
    }

    Lane get(long key) {
        return lanes.get(key);
    }

    Lane open(long key, int shard) {
        return lanes.computeIfAbsent(key, k -> new Lane(k, shard, deaths));
    }

    int nodeDied() {
        return ++deaths;
    }

    /** Also if it is only a call of a lost lease. */
    boolean isInUse(long key) {
        return lanes.containsKey(key) || orphans.containsKey(key);
    }

    /** @return the event of this lane with a higher number that was seen before, if there is one */
    Optional<MessageHead> append(Lane lane, MessageHead head) {
        Optional<MessageHead> later = lane.append(head);
        remember(head, Source.WINDOW);
        touch(lane);
        return later;
    }

    /** From now on the lane takes no room of its shard's window. */
    void becomesLong(Lane lane) {
        lane.isLong = true;
        for (MessageHead head : lane.queue) {
            forget(head);
            remember(head, Source.LONG_LANE);
        }
    }

    /** Adds the next rows of a lane whose queue is empty. */
    void appendPage(Lane lane, List<MessageHead> page, Source source) {
        for (MessageHead head : page) {
            if (!remember(head, source)) {
                break;
            }
            lane.append(head);
        }
        touch(lane);
    }

    void putPage(Lane lane, String group, List<PendingDelivery> page) {
        Deque<PendingDelivery> fresh = new ArrayDeque<>();
        for (PendingDelivery each : page) {
            if (remember(each.head(), Source.WAIT) || isLast(fresh, each.head())) {
                fresh.addLast(each);
            } else {
                break;
            }
        }
        if (fresh.isEmpty()) {
            lane.behindAnother.put(group, page.get(0).head());
        } else {
            lane.behindAnother.remove(group);
            lane.waiting.put(group, fresh);
        }
        touch(lane);
    }

    /** Whether this group's page is in memory, or would bring nothing while another group has its first message. */
    boolean hasPage(Lane lane, String group) {
        MessageHead next = lane.behindAnother.get(group);
        return lane.waiting.containsKey(group) || next != null && holds(next);
    }

    /** Several handlers of one group may wait for the same message. */
    private static boolean isLast(Deque<PendingDelivery> page, MessageHead head) {
        return !page.isEmpty() && page.peekLast().head().seq() == head.seq();
    }

    void dropPage(Lane lane, String group) {
        Deque<PendingDelivery> page = lane.waiting.remove(group);
        if (page != null) {
            page.forEach(each -> forget(each.head()));
        }
    }

    /** The lane does not start before this time, whatever is read of it. */
    void rest(long lane, long until) {
        resting.put(lane, until);
    }

    /** @param takenAt when runnable lanes were to be taken: what had rested by then waits for room, not for a time */
    long untilRested(long takenAt, long now) {
        return resting.values().stream()
                .filter(until -> until - takenAt > 0)
                .mapToLong(until -> Math.max(0, until - now))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Takes the next runnable lanes, except those of paused shards, those that rest, and those in which a call of a
     * lost lease still runs.
     */
    List<Lane> takeRunnable(int limit, long now, Predicate<Lane> isSuspended) {
        resting.values().removeIf(until -> now - until >= 0);
        List<Lane> taken = new ArrayList<>();
        for (var each = runnable.iterator(); each.hasNext() && taken.size() < limit; ) {
            Lane lane = each.next();
            if (!orphans.containsKey(lane.key) && !resting.containsKey(lane.key) && !isSuspended.test(lane)) {
                each.remove();
                taken.add(lane);
            }
        }
        return taken;
    }

    /** Ends the lane's first turn. Its message leaves memory, unless another handler of its group is next. */
    void finish(Turn turn) {
        Lane lane = turn.lane;
        lane.turns.remove(turn);
        boolean gone = true;
        if (turn.waiting == null) {
            lane.queue.pollFirst();
        } else {
            String group = turn.waiting.group();
            Deque<PendingDelivery> page = lane.waiting.getOrDefault(group, new ArrayDeque<>());
            page.pollFirst();
            if (page.isEmpty()) {
                lane.waiting.remove(group);
            } else {
                gone = page.peekFirst().head().seq() != turn.head.seq();
                if (!gone) {
                    page.addFirst(page.pollFirst().with(turn.head));
                }
            }
        }
        if (gone) {
            forget(turn.head);
        }
        touch(lane);
    }

    /** Takes back a turn that was not started. */
    void putBack(Turn turn) {
        turn.lane.turns.remove(turn);
        touch(turn.lane);
    }

    /**
     * Drops everything known about a lane, so that its rows are read again, also if it has been forgotten and opened anew
     * since. Calls that still run become orphans.
     */
    void drop(long key) {
        Lane lane = lanes.remove(key);
        if (lane != null) {
            for (Turn turn : lane.turns) {
                if (turn.calling) {
                    turn.cancel();
                    orphans.merge(lane.key, 1, Integer::sum);
                    orphansPerShard.merge(lane.shard, 1, Integer::sum);
                }
            }
            lane.turns.clear();
            lane.queue.forEach(this::forget);
            lane.waiting.values().forEach(page -> page.forEach(each -> forget(each.head())));
            lane.queue.clear();
            lane.waiting.clear();
            runnable.remove(lane);
        }
        dropped.accept(key);
    }

    /**
     * Whether pages of this lane may be read. Behind a call that is late, or one of a lost lease, they could take
     * memory from other lanes for ever.
     */
    boolean mayBringIn(long key) {
        Lane lane = lanes.get(key);
        return !orphans.containsKey(key) && (lane == null || !lane.hasLateCall());
    }

    /** Removes the messages of the queue that have not begun. */
    void shedQueue(Lane lane) {
        lane.queue.removeIf(head -> forgetUnlessRunning(lane, head));
    }

    /** Removes the waiting deliveries that have not begun. */
    void shedWaiting(Lane lane) {
        lane.waiting.values().forEach(page -> page.removeIf(each -> forgetUnlessRunning(lane, each.head())));
        lane.waiting.values().removeIf(Deque::isEmpty);
    }

    private boolean forgetUnlessRunning(Lane lane, MessageHead head) {
        boolean idle = lane.turns.stream().noneMatch(turn -> turn.head.seq() == head.seq());
        if (idle) {
            forget(head);
        }
        return idle;
    }

    void dropShard(int shard) {
        ofShard(shard).forEach(lane -> drop(lane.key));
    }

    /**
     * Drops the lanes in which nothing is under way, and those with a turn that was interrupted by an error before its
     * call.
     */
    void dropIdle() {
        for (Lane lane : List.copyOf(lanes.values())) {
            if (lane.turns.isEmpty() || !lane.turns.stream().allMatch(Turn::isUnderWay)) {
                drop(lane.key);
            } else {
                lane.forgetNumbers();
            }
        }
    }

    /** Makes the shard's lanes available for the next start. */
    void touchShard(int shard) {
        ofShard(shard).forEach(this::touch);
    }

    private List<Lane> ofShard(int shard) {
        return lanes.values().stream().filter(lane -> lane.shard == shard).toList();
    }

    /** Whether this turn is still under way in its lane; false for a turn of a lost shard or a dropped lane. */
    boolean isCurrent(Turn turn) {
        return lanes.get(turn.lane.key) == turn.lane && turn.lane.turns.contains(turn);
    }

    /**
     * The call of a turn that was dropped with its shard has ended.
     *
     * @return the lane if it may start again on this node now; it has to be read again, because what was read in the
     *     meantime may be recorded by now
     */
    Optional<Lane> orphanEnded(Turn turn) {
        if (!turn.isCancelled()) {
            return Optional.empty();
        }
        orphans.computeIfPresent(turn.lane.key, (key, count) -> count == 1 ? null : count - 1);
        orphansPerShard.computeIfPresent(turn.lane.shard, (key, count) -> count == 1 ? null : count - 1);
        return orphans.containsKey(turn.lane.key) ? Optional.empty() : Optional.ofNullable(lanes.get(turn.lane.key));
    }

    /** Whether whole messages of this shard are in memory or left to be read, not only deliveries that wait. */
    boolean anyMessages(int shard) {
        return lanes.values().stream().anyMatch(lane -> lane.shard == shard && (lane.isLong || !lane.queue.isEmpty()));
    }

    boolean anyRunning(int shard) {
        return orphansPerShard.containsKey(shard)
                || lanes.values().stream().anyMatch(lane -> lane.shard == shard && !lane.turns.isEmpty());
    }

    boolean anyRunning() {
        return !orphans.isEmpty() || lanes.values().stream().anyMatch(lane -> !lane.turns.isEmpty());
    }

    /** Forgets the lane if it is empty, otherwise makes it available for the next start if it is runnable. */
    void touch(Lane lane) {
        if (lane.isEmpty()) {
            lanes.remove(lane.key, lane);
            runnable.remove(lane);
        } else if (lane.isRunnable()) {
            runnable.add(lane);
        }
    }

    /** @return false if it is already in memory */
    private boolean remember(MessageHead head, Source source) {
        if (messages.putIfAbsent(Key.of(head), source) != null) {
            return false;
        }
        rows.merge(source, 1, Integer::sum);
        if (source == Source.WINDOW) {
            windowRows.merge(head.shard(), 1, Integer::sum);
        }
        return true;
    }

    private void forget(MessageHead head) {
        Source source = messages.remove(Key.of(head));
        if (source == null) {
            return;
        }
        rows.merge(source, -1, Integer::sum);
        if (source == Source.WINDOW) {
            windowRows.computeIfPresent(head.shard(), (shard, count) -> count == 1 ? null : count - 1);
        }
    }
}
