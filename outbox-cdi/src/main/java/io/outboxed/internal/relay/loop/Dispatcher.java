package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.relay.HandlerRegistry;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.WaitingDelivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Turns runnable lanes into calls: selects the handlers, counts suspects, loads the bodies, counts retries. */
final class Dispatcher {
    private static final long BYTES_IN_MEMORY = 64L << 20;
    private static final int LOAD_PER_WORKER = 64;
    /** What may hang for each worker: its own call, and that of its spare one. */
    private static final int SERIES_PER_WORKER = 2;

    private final RelayStore store;
    private final LoopState state;
    private final HandlerSelection selection;
    private final TurnRunner runner;
    private final DueReader dueReader;
    private final HandlerRegistry registry;
    private final CallQueue calls;
    private final SuspectLimit suspectLimit;
    private final SuspectStarts suspectStarts;
    private final BodyLoader bodies;
    private final int load;
    private final long seriesBytes;
    private boolean full;

    Dispatcher(
            RelayStore store,
            LoopState state,
            SuspectStarts suspectStarts,
            HandlerSelection selection,
            TurnRunner runner,
            DueReader dueReader,
            HandlerRegistry registry,
            CallQueue calls,
            int workers) {
        this.store = store;
        this.state = state;
        this.selection = selection;
        this.runner = runner;
        this.dueReader = dueReader;
        this.registry = registry;
        this.calls = calls;
        this.suspectLimit = new SuspectLimit(state.lanes());
        this.suspectStarts = suspectStarts;
        this.bodies = new BodyLoader(store.reads(), state);
        this.load = load(workers);
        this.seriesBytes = BYTES_IN_MEMORY / (SERIES_PER_WORKER * workers);
    }

    /** How many calls are queued or run at most. */
    static int load(int workers) {
        return workers * LOAD_PER_WORKER;
    }

    /** Whether lanes wait until calls end, as far as the last time has shown. */
    boolean isFull() {
        return full;
    }

    void dispatch(long now) {
        suspectLimit.offerNext(now);
        List<Turn> turns = begin(now);
        if (turns.isEmpty()) {
            return;
        }
        select(turns, now);
        List<Turn> ready = new ArrayList<>();
        for (Turn turn : suspectStarts.count(turns, now)) {
            if (turn.isPostponed()) {
                postpone(turn);
            } else if (turn.remaining.isEmpty()) {
                runner.next(turn);
            } else {
                ready.add(turn);
            }
        }
        for (Turn turn : bodies.load(ready, now)) {
            if (turn.waiting != null) {
                runner.countRetry(turn);
            } else {
                runner.next(turn);
            }
        }
    }

    private List<Turn> begin(long now) {
        int room = load - calls.load();
        long bytes = runner.bytes();
        full = room <= 0 || bytes > BYTES_IN_MEMORY;
        if (full) {
            return List.of();
        }
        List<Turn> turns = new ArrayList<>();
        List<Lane> lanes = state.lanes().takeRunnable(room, now, this::isLocked);
        full = lanes.size() == room;
        for (Lane lane : lanes) {
            if (!turns.isEmpty() && bytes > BYTES_IN_MEMORY) {
                full = true;
                state.lanes().touch(lane);
                continue;
            }
            ShardCursor shard = state.shards().get(lane.shard);
            if (shard == null || shard.isLeaving() || state.lanes().get(lane.key) != lane || !lane.isRunnable()) {
                continue;
            }
            WaitingDelivery waiting = lane.nextWaiting();
            MessageHead head = waiting == null ? lane.queue.peekFirst() : waiting.head();
            Turn turn = new Turn(lane, shard.lease, head, waiting);
            if (waiting == null && shard.suspects.contains(head, lane.openedAfter)) {
                turn.suspect = true;
                turn.deaths = shard.suspects.deaths(head);
                if (!suspectLimit.admit(turn, now)) {
                    shard.suspects.waits(head);
                    continue;
                }
            }
            lane.turns.add(turn);
            bytes += head.size();
            turns.add(turn);
            if (waiting == null && !turn.suspect) {
                bytes += addFollowers(turn, shard.suspects, Math.min(seriesBytes, BYTES_IN_MEMORY - bytes));
            }
        }
        return turns;
    }

    private boolean isLocked(Lane lane) {
        ShardCursor shard = state.shards().get(lane.shard);
        return shard != null && state.writes().isLocked(shard.lease);
    }

    /** @return their size in bytes */
    private static long addFollowers(Turn turn, CrashSuspects suspects, long room) {
        long bytes = 0;
        for (MessageHead head : turn.lane.queue) {
            if (head == turn.head) {
                continue;
            }
            if (suspects.contains(head, turn.lane.openedAfter)
                    || !head.type().equals(turn.head.type())
                    || head.onlyHandler() != null
                    || head.registryVersion() > turn.head.registryVersion()
                    || bytes > room) {
                break;
            }
            Turn follower = new Turn(turn.lane, turn.lease, head, null);
            turn.followers.add(follower);
            turn.lane.turns.add(follower);
            bytes += head.size();
        }
        return bytes;
    }

    private void select(List<Turn> turns, long now) {
        long wanted = turns.stream()
                .mapToLong(turn -> turn.head.registryVersion())
                .max()
                .orElse(0);
        registry.refresh(wanted, now);
        Map<UUID, Set<String>> done = doneOf(turns);
        if (turns.stream().anyMatch(turn -> registry.of(turn.head.type()).isEmpty())) {
            // only after the done rows were read: a handler with a done row must be in the registry, or it would be
            // called once more
            registry.readAgain(now);
        }
        turns.removeIf(turn -> waitsForAdoption(turn, now));
        for (Turn turn : turns) {
            selection.select(turn, done.getOrDefault(turn.head.id(), Set.of()), now);
            follow(turn, done.keySet());
        }
    }

    /** Earlier messages of the aggregate that had no handler may have one now: they come first. */
    private boolean waitsForAdoption(Turn turn, long now) {
        boolean unstored = state.writes().adopts(turn.lane.key);
        if (!unstored && !dueReader.mayAdopt(turn.lane)) {
            return false;
        }
        if (unstored || state.writes().isHeld(turn.lane.key)) {
            state.lanes().rest(turn.lane.key, now + RelayStore.LOCKED_ROW_RETRY_DELAY);
        } else {
            dueReader.recheck(new LaneWait(turn.lane.key, turn.lane.shard, LaneWait.NO_HANDLER));
        }
        turn.followers.forEach(state.lanes()::putBack);
        state.lanes().putBack(turn);
        return true;
    }

    /**
     * Selects the turns that follow this one in the same series or batch. A row with done handlers may have one that
     * must not be called again, so it starts a series of its own.
     */
    private void follow(Turn turn, Set<UUID> touched) {
        int most = Math.min(selection.mostFollowers(turn), turn.followers.size());
        int end = 0;
        while (end < most && !touched.contains(turn.followers.get(end).head.id())) {
            Turn follower = turn.followers.get(end++);
            follower.remaining.addAll(turn.remaining);
            follower.groups = turn.groups;
        }
        List<Turn> left = turn.followers.subList(end, turn.followers.size());
        turn.lane.turns.removeAll(left);
        left.clear();
    }

    private Map<UUID, Set<String>> doneOf(List<Turn> turns) {
        List<UUID> touched = turns.stream()
                .flatMap(Turn::andFollowers)
                .filter(turn -> turn.waiting == null && turn.head.version() > 0)
                .map(turn -> turn.head.id())
                .toList();
        return touched.isEmpty() ? Map.of() : store.reads().done(touched);
    }

    private void postpone(Turn turn) {
        Lane lane = turn.lane;
        state.lanes().dropPage(lane, turn.waiting.group());
        state.lanes().putBack(turn);
        state.writes()
                .add(
                        turn.lease,
                        selection.postponement(turn),
                        () -> state.lanes().touch(lane));
    }
}
