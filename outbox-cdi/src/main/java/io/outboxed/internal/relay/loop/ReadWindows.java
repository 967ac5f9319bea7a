package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.DutyCycle;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.PollInterval;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import io.outboxed.internal.store.ReadWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which shards are read next, and from which row. Each read starts at the shards' low-water marks, because numbers are
 * assigned before they are committed. Only a backlog is read on above the last row seen, up to a number that was visible
 * before.
 */
final class ReadWindows {
    /** Each shard is read from its first row about every 30 s, however seldom all shards are read. */
    private static final Duration BETWEEN_FULL_READS = Duration.ofSeconds(30).dividedBy(LaneHash.SHARDS);

    private static final Duration BETWEEN_REREADS = Duration.ofMillis(500);
    /** While a snapshot is open, such reads have to skip every row deleted since: at most 5 % of the time. */
    private static final int SHARE = 20;

    /** The highest visible number is refreshed at this interval while a backlog is read on. */
    private static final long VISIBLE_FOR = Duration.ofMillis(100).toNanos();

    private final MessageReads store;
    private final LoopState state;
    private final LaneClaims claims;
    private final LongLaneReader longLanes;
    private final BacklogPasses passes;
    private final PollInterval pollInterval;
    /** Less room than this is not worth a statement. */
    private final int leastRoom;

    private final DutyCycle rereads;
    private final DutyCycle fullReads;
    private int nextFull;
    private int nextFirst;
    private long visible;
    private long visibleAt;

    ReadWindows(
            MessageReads store,
            LoopState state,
            LaneClaims claims,
            LongLaneReader longLanes,
            BacklogPasses passes,
            PollInterval pollInterval,
            int maxInMemory,
            long now) {
        this.store = store;
        this.state = state;
        this.claims = claims;
        this.longLanes = longLanes;
        this.passes = passes;
        this.pollInterval = pollInterval;
        this.leastRoom = Math.max(1, maxInMemory / 4);
        this.rereads = new DutyCycle(BETWEEN_REREADS, SHARE, now);
        this.fullReads = new DutyCycle(BETWEEN_FULL_READS, SHARE, now);
        this.visibleAt = now - VISIBLE_FOR;
    }

    /**
     * One read of several shards.
     *
     * @param isSweep all shards are read, whether something was announced or not
     * @param full the shards that are read from their first rows
     */
    record Read(Map<Integer, ReadWindow> windows, Map<Integer, Page> pages, boolean isSweep, Set<Integer> full) {
        private Read(Map<Integer, ReadWindow> windows, boolean isSweep, Set<Integer> full) {
            this(windows, new HashMap<>(), isSweep, full);
            windows.keySet().forEach(number -> pages.put(number, new Page()));
        }

        boolean isFruitful() {
            return pages.values().stream().anyMatch(page -> page.fruitful);
        }
    }

    /** The part of a shard's window that was brought into memory. */
    static final class Page {
        private int rows;
        private long last;
        /** The rest was not taken, and is read again. */
        boolean cut;
        /** Something of it is in memory now that was not before. */
        boolean fruitful;
        /** How many rows it has of lanes that this node did not hold. */
        final Map<Long, Integer> unclaimed = new HashMap<>();

        void add(MessageHead head) {
            rows++;
            last = Math.max(last, head.seq());
        }
    }

    Read next(long now) {
        if (rereads.begin(now)) {
            state.shards().all().forEach(shard -> shard.mayHaveLate = true);
        }
        passes.begin(now);
        boolean sweep = pollInterval.sweepDue(now);
        Set<Integer> full = sweep && !claims.isPerLane() ? nextFull(fullReads.runsDue(now)) : Set.of();
        return new Read(windows(sweep, full, now), sweep, full);
    }

    /**
     * Gives all shards an equal part of the room. Rows that were inserted together are then read and deleted together,
     * so that a page of the table is written once instead of once for each shard.
     */
    private Map<Integer, ReadWindow> windows(boolean sweep, Set<Integer> full, long now) {
        Map<Integer, ReadWindow> windows = new LinkedHashMap<>();
        int room = state.lanes().windowRoom();
        if (isFull()) {
            return windows;
        }
        List<ShardCursor> wanted = wanted(sweep);
        Map<Integer, List<Long>> without = longLanes.byShard();
        int left = wanted.size();
        for (ShardCursor shard : wanted) {
            int number = shard.lease.shard();
            int page = Math.min(state.lanes().windowRoom(number), room / left--);
            if (page > 0) {
                room -= page;
                int inMemory = state.lanes().fromWindow(number);
                ReadWindow window = full.contains(number)
                        ? shard.fullWindow(inMemory, page, visible, now)
                        : shard.window(inMemory, page, visible, now);
                windows.put(
                        number, window.leavingOut(passes.andForeign(without.getOrDefault(number, List.of()), number)));
            } else {
                shard.needsRead = true;
            }
        }
        return windows;
    }

    /** Starts with another shard each time, so that it is not always the same one for which there is no room. */
    private List<ShardCursor> wanted(boolean sweep) {
        List<ShardCursor> wanted = new ArrayList<>();
        for (ShardCursor shard : state.shards().all()) {
            if (isReadable(shard) || sweep && state.mayRead(shard)) {
                wanted.add(shard);
            }
        }
        Collections.rotate(wanted, wanted.isEmpty() ? 0 : nextFirst++ % wanted.size());
        return wanted;
    }

    private boolean isReadable(ShardCursor shard) {
        return shard.wantsRead() && state.mayRead(shard);
    }

    private Set<Integer> nextFull(long count) {
        List<ShardCursor> all = List.copyOf(state.shards().all());
        Set<Integer> next = new HashSet<>();
        for (long left = Math.min(count, all.size()); left > 0; left--) {
            next.add(all.get(nextFull++ % all.size()).lease.shard());
        }
        return next;
    }

    /** @param took the statement, in nanoseconds */
    void took(Read read, long took) {
        if (!read.full().isEmpty()) {
            fullReads.took(took);
        }
        long back = read.windows().keySet().stream()
                .filter(number -> state.shards().get(number).wentBack())
                .count();
        rereads.took(took * back / read.windows().size());
    }

    /** Decides where the shards are read from next. */
    void noteRemaining(Read read, long now) {
        boolean anyFull = false;
        for (ReadWindow window : read.windows().values()) {
            ShardCursor shard = state.shards().get(window.shard());
            Page page = read.pages().get(window.shard());
            boolean full = page.cut || page.rows >= window.limit();
            anyFull |= full;
            if (page.rows == 0
                    && !full
                    && window.above() == 0
                    && shard.noneParked
                    && !passes.leaveOutAny(window.shard())
                    && !state.lanes().anyMessages(window.shard())) {
                shard.suspects.exhaust();
            }
            shard.wasRead(page.rows == 0 ? Long.MAX_VALUE : page.last, full);
        }
        if (anyFull && now - visibleAt >= VISIBLE_FOR) {
            visible = store.highest();
            visibleAt = now;
        }
    }

    /** While memory is full or every shard has its share, only reports free up room, so no read is due. */
    long untilRead(long now) {
        boolean room = !isFull() && state.shards().all().stream().anyMatch(state::mayRead);
        return room ? Math.min(pollInterval.untilSweep(now), passes.untilNext(now)) : Long.MAX_VALUE;
    }

    /** A failover may have taken back what was visible. */
    void reset() {
        visible = 0;
    }

    /** @param signalled shards with new commits, as bits */
    void note(long signalled) {
        for (ShardCursor shard : state.shards().all()) {
            shard.needsRead |= (signalled & 1L << shard.lease.shard()) != 0;
        }
    }

    /** Whether nothing is read until messages have left memory. */
    boolean isFull() {
        return state.lanes().windowRoom() < leastRoom;
    }

    /** Whether the shard has more to read, and already has its share of memory. */
    boolean isShardFull(int number) {
        ShardCursor shard = state.shards().get(number);
        return shard != null
                && shard.wantsRead()
                && !state.isSuspended(shard)
                && state.lanes().windowRoom(number) <= 0;
    }

    boolean wantsMore() {
        return !isFull() && isAnyReadable();
    }

    /** Whether a shard has more to read than what only a sweep would find. */
    boolean isAnyReadable() {
        return state.shards().all().stream().anyMatch(this::isReadable);
    }
}
