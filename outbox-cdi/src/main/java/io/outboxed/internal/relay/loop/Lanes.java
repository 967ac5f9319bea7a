package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.memory.LoadedMessages;
import io.outboxed.internal.relay.memory.LoadedMessages.Source;
import io.outboxed.internal.relay.memory.OrphanedCalls;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.WaitingDelivery;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** All lanes in this node's memory, and which of them can start. */
final class Lanes {
    private final Map<Long, Lane> lanes = new HashMap<>();
    /** With locks: how many nodes have died. */
    private int deaths;

    private final LinkedHashSet<Lane> runnable = new LinkedHashSet<>();
    private final LoadedMessages messages = new LoadedMessages();
    /** Lanes by key that must not start before a time, whatever is read of them until then. */
    private final Map<Long, Long> resting = new HashMap<>();

    private final OrphanedCalls orphans = new OrphanedCalls();
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

    int size() {
        return messages.size();
    }

    int count(Source source) {
        return messages.count(source);
    }

    /**
     * @param mostCalls how many calls are queued or run at most
     * @param mostLanes of this group
     */
    int roomToWait(String group, int mostCalls, int mostLanes) {
        return messages.roomToWait(group, maxInMemory, mostCalls, mostLanes);
    }

    int fromWindow(int shard) {
        return messages.fromWindow(shard);
    }

    /** How many more messages windows may bring into memory. */
    int windowRoom() {
        return maxInMemory - count(Source.WINDOW);
    }

    int windowRoom(int shard) {
        return ShardCursor.ROOM - fromWindow(shard);
    }

    boolean holds(MessageHead head) {
        return messages.contains(head);
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
        return lanes.containsKey(key) || orphans.anyInLane(key);
    }

    /** @return the event of this lane with a higher number that was seen before, if there is one */
    Optional<MessageHead> append(Lane lane, MessageHead head) {
        Optional<MessageHead> later = lane.append(head);
        messages.add(head, Source.WINDOW);
        touch(lane);
        return later;
    }

    /** From now on the lane takes no room of its shard's window. */
    void becomesLong(Lane lane) {
        lane.isLong = true;
        for (MessageHead head : lane.queue) {
            messages.remove(head);
            messages.add(head, Source.LONG_LANE);
        }
    }

    /** Adds the next rows of a lane whose queue is empty. */
    void appendPage(Lane lane, List<MessageHead> page) {
        appendWhile(head -> messages.add(head, Source.LONG_LANE), lane, page);
    }

    /** The same for a lane that is parked. */
    void appendParked(Lane lane, List<MessageHead> page) {
        appendWhile(head -> messages.addWaiting(head, LaneWait.PARKED), lane, page);
    }

    private void appendWhile(Predicate<MessageHead> added, Lane lane, List<MessageHead> page) {
        page.stream().takeWhile(added).forEach(lane::append);
        touch(lane);
    }

    void putPage(Lane lane, String group, List<WaitingDelivery> page) {
        Deque<WaitingDelivery> fresh = new ArrayDeque<>();
        for (WaitingDelivery each : page) {
            if (!messages.addWaiting(each.head(), group) && !isLast(fresh, each.head())) {
                lane.comesBehindAnother(group, page, fresh.size());
                break;
            }
            fresh.addLast(each);
        }
        if (!fresh.isEmpty()) {
            lane.waiting.put(group, fresh);
        }
        touch(lane);
    }

    /** Whether this group's page is in memory, or is not to be read before a message of another group has left it. */
    boolean hasPage(Lane lane, String group) {
        MessageHead next = lane.behindAnother.get(group);
        return lane.waiting.containsKey(group) || next != null && holds(next);
    }

    /** Several handlers of one group may wait for the same message. */
    private static boolean isLast(Deque<WaitingDelivery> page, MessageHead head) {
        return !page.isEmpty() && page.peekLast().head().seq() == head.seq();
    }

    void dropPage(Lane lane, String group) {
        lane.behindAnother.remove(group);
        Deque<WaitingDelivery> page = lane.waiting.remove(group);
        if (page != null) {
            page.forEach(each -> messages.remove(each.head()));
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
     * Takes the next runnable lanes, except those of suspended shards, those that rest, and those in which a call of a
     * lost lease still runs.
     */
    List<Lane> takeRunnable(int limit, long now, Predicate<Lane> isSuspended) {
        resting.values().removeIf(until -> now - until >= 0);
        List<Lane> taken = new ArrayList<>();
        for (var each = runnable.iterator(); each.hasNext() && taken.size() < limit; ) {
            Lane lane = each.next();
            if (!orphans.anyInLane(lane.key) && !resting.containsKey(lane.key) && !isSuspended.test(lane)) {
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
            Deque<WaitingDelivery> page = lane.waiting.getOrDefault(group, new ArrayDeque<>());
            page.pollFirst();
            lane.waiting.remove(group);
            if (!page.isEmpty()) {
                lane.waiting.put(group, page);
                gone = page.peekFirst().head().seq() != turn.head.seq();
                if (!gone) {
                    page.addFirst(page.pollFirst().with(turn.head));
                }
            }
        }
        if (gone) {
            messages.remove(turn.head);
        }
        touch(lane);
    }

    /** Takes back a turn that was not started. */
    void putBack(Turn turn) {
        turn.lane.turns.remove(turn);
        touch(turn.lane);
    }

    /**
     * Drops everything known about a lane, so that its rows are read again, even if it has been forgotten and opened anew
     * since. Calls that still run become orphans.
     */
    void drop(long key) {
        Lane lane = lanes.get(key);
        if (lane != null) {
            // an error before it is removed leaves it to be dropped again
            lane.dropTurns(orphans);
            lanes.remove(key);
            lane.dropMessages(messages);
            runnable.remove(lane);
        }
        dropped.accept(key);
    }

    /** Drops all lanes, and what an error has left of others. */
    void dropAll() {
        List.copyOf(lanes.keySet()).forEach(this::drop);
        runnable.clear();
        messages.clear();
    }

    /**
     * Whether pages of this lane may be read. Behind a call that is late, or one of a lost lease, they could take
     * memory from other lanes for ever.
     */
    boolean mayBringIn(long key) {
        Lane lane = lanes.get(key);
        return !orphans.anyInLane(key) && (lane == null || !lane.hasLateCall());
    }

    /** Removes the messages of the queue that have not begun. */
    List<MessageHead> shedQueue(Lane lane) {
        List<MessageHead> shed =
                lane.queue.stream().filter(head -> !isRunning(lane, head)).toList();
        lane.queue.removeAll(shed);
        shed.forEach(messages::remove);
        return shed;
    }

    /** Removes the waiting deliveries that have not begun. */
    void shedWaiting(Lane lane) {
        lane.behindAnother.clear();
        for (Deque<WaitingDelivery> page : lane.waiting.values()) {
            List<WaitingDelivery> shed =
                    page.stream().filter(each -> !isRunning(lane, each.head())).toList();
            page.removeAll(shed);
            shed.forEach(each -> messages.remove(each.head()));
        }
        lane.waiting.values().removeIf(Deque::isEmpty);
    }

    private static boolean isRunning(Lane lane, MessageHead head) {
        return lane.turns.stream().anyMatch(turn -> turn.head.seq() == head.seq());
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
        orphans.ended(turn.lane.key);
        return orphans.anyInLane(turn.lane.key) ? Optional.empty() : Optional.ofNullable(lanes.get(turn.lane.key));
    }

    /** Whether whole messages of this shard are in memory or left to be read, not only deliveries that wait. */
    boolean anyMessages(int shard) {
        return lanes.values().stream().anyMatch(lane -> lane.shard == shard && (lane.isLong || !lane.queue.isEmpty()));
    }

    boolean anyRunning(int shard) {
        return orphans.anyInShard(shard)
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
}
