package io.outboxed.internal.relay.loop;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.DutyCycle;
import io.outboxed.internal.relay.ForeignLanes;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.PollInterval;
import io.outboxed.internal.relay.WriterOrder;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.ReadWindow;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings READY rows into their lanes. Each read is one statement that starts at the shards' low-water marks, because
 * numbers are assigned before they are committed. Only a backlog is read on above the last row seen, up to a number
 * that was visible before. Outcomes are processed before a read begins, so a row that has left memory can't be part of
 * a read that started earlier.
 */
final class ReadyReader {
    /** Each shard is read from its first row every 30 s. */
    private static final Duration BETWEEN_FULL_READS = Duration.ofSeconds(30).dividedBy(LaneHash.SHARDS);

    private static final Duration BETWEEN_REREADS = Duration.ofMillis(500);
    /** While a snapshot is open, such reads have to skip every row deleted since: at most 5 % of the time. */
    private static final int SHARE = 20;
    /** Rows of other nodes' lanes are read on for at most 20 % of the time. */
    private static final int SHARE_OF_FRUITLESS = 5;

    /** With locks, while long lanes wait for room. */
    private static final long BETWEEN_LONG_LANES = Duration.ofSeconds(1).toNanos();

    /** The highest visible number is refreshed at this interval while a backlog is read on. */
    private static final long VISIBLE_FOR = Duration.ofMillis(100).toNanos();

    private final RelayStore store;
    private final LoopState state;
    private final LaneClaims claims;
    private final Consumer<Set<Long>> claimed;
    private final int maxInMemory;
    /** Less room than this is not worth a statement. */
    private final int leastRoom;

    private final PollInterval pollInterval;
    private final OutboxMeters meters;
    private final DutyCycle rereads;
    private final DutyCycle fullReads;
    /** With locks: pages of passes that bring nothing. */
    private final DutyCycle fruitless;

    private final ForeignLanes foreign = new ForeignLanes();
    private final LongLaneReader longLanes;
    private final WriterOrder writerOrder;
    private int nextFull;
    private int nextFirst;
    private long visible;
    private long visibleAt;
    private long lastLongAt;

    /** @param claimed receives lanes on which other nodes may have worked since this one last did */
    ReadyReader(
            RelayStore store,
            LoopState state,
            LaneClaims claims,
            Consumer<Set<Long>> claimed,
            int maxInMemory,
            PollInterval pollInterval,
            OutboxMeters meters,
            long now) {
        this.store = store;
        this.state = state;
        this.claims = claims;
        this.claimed = claimed;
        this.maxInMemory = maxInMemory;
        this.leastRoom = Math.max(1, maxInMemory / 4);
        this.pollInterval = pollInterval;
        this.meters = meters;
        this.fullReads = new DutyCycle(BETWEEN_FULL_READS, SHARE, now);
        this.visibleAt = now - VISIBLE_FOR;
        this.lastLongAt = now;
        this.rereads = new DutyCycle(BETWEEN_REREADS, SHARE, now);
        this.fruitless = new DutyCycle(Duration.ZERO, SHARE_OF_FRUITLESS, now);
        this.longLanes = new LongLaneReader(store, state, maxInMemory);
        this.writerOrder = new WriterOrder(store.reads(), meters);
    }

    /** A call of this lane may never end: the messages behind it must not take memory from others. */
    void shed(Lane lane) {
        longLanes.shed(lane);
    }

    void read(long now) {
        claims.readDropped(this::firstRows, rows -> bringIn(rows, false));
        longLanes.readNext(state.shards().all().stream().anyMatch(this::isReadable));
        if (rereads.begin(now)) {
            state.shards().all().forEach(shard -> shard.mayHaveLate = true);
        }
        pass(now);
        boolean sweep = pollInterval.sweepDue(now);
        int full = sweep && !claims.areLocks() && fullReads.begin(now) ? nextFull() : -1;
        Map<Integer, ReadWindow> windows = windows(sweep, full, now);
        if (windows.isEmpty()) {
            return;
        }
        long back = windows.keySet().stream()
                .filter(number -> state.shards().get(number).wentBack())
                .count();
        long askedAt = now + pollInterval.elapsedSince(now);
        List<MessageHead> heads = store.reads().ready(windows.values());
        long took = pollInterval.elapsedSince(askedAt);
        meters.polled(took);
        if (full >= 0) {
            fullReads.took(pollInterval.elapsedSince(now));
        }
        rereads.took(took * back / windows.size());
        Map<Integer, Page> pages = new HashMap<>();
        windows.keySet().forEach(number -> pages.put(number, new Page()));
        Map<Long, ShardCursor> unclaimed = new LinkedHashMap<>();
        int fresh = admit(heads, pages, unclaimed);
        if (claim(unclaimed, pages)) {
            fresh++;
        }
        notePasses(pages);
        noteRemaining(windows, pages, now);
        if (claims.areLocks()) {
            passesTook(pollInterval.elapsedSince(askedAt), pages);
        }
        if (sweep) {
            pollInterval.swept(now, fresh > 0, took);
        }
    }

    /** While memory is full or every shard has its share, only reports free up room, so no read is due. */
    long untilRead(long now) {
        boolean room = room() >= leastRoom
                && state.shards().all().stream().anyMatch(shard -> !state.isPaused(shard) && hasRoom(shard));
        return room ? Math.min(pollInterval.untilSweep(now), untilPass(now)) : Long.MAX_VALUE;
    }

    /** @param signalled shards with new commits, as bits */
    void note(long signalled) {
        for (ShardCursor shard : state.shards().all()) {
            shard.hot |= (signalled & 1L << shard.lease.shard()) != 0;
        }
    }

    boolean wantsMore() {
        return room() >= leastRoom && state.shards().all().stream().anyMatch(this::isReadable);
    }

    private int room() {
        return maxInMemory - state.lanes().count(Lanes.Source.WINDOW);
    }

    /**
     * Gives all shards an equal part of the room. Rows that were inserted together are then read and deleted together,
     * so that a page of the table is written once instead of once for each shard.
     */
    private Map<Integer, ReadWindow> windows(boolean sweep, int full, long now) {
        Map<Integer, ReadWindow> windows = new LinkedHashMap<>();
        int room = room();
        if (room < leastRoom) {
            return windows;
        }
        List<ShardCursor> wanted = wanted(sweep);
        Map<Integer, List<Long>> without = longLanes.byShard();
        int left = wanted.size();
        for (ShardCursor shard : wanted) {
            int number = shard.lease.shard();
            int inMemory = state.lanes().fromWindow(number);
            int page = Math.min(ShardCursor.ROOM - inMemory, room / left--);
            if (page > 0) {
                room -= page;
                ReadWindow window = number == full
                        ? shard.fullWindow(inMemory, page, visible)
                        : shard.window(inMemory, page, visible, now);
                windows.put(number, window.leavingOut(foreign.and(without.getOrDefault(number, List.of()), number)));
            } else {
                shard.hot = true;
            }
        }
        return windows;
    }

    /** Starts with another shard each time, so that it is not always the same one for which there is no room. */
    private List<ShardCursor> wanted(boolean sweep) {
        List<ShardCursor> wanted = new ArrayList<>();
        for (ShardCursor shard : state.shards().all()) {
            if (isReadable(shard) || sweep && !state.isPaused(shard) && hasRoom(shard)) {
                wanted.add(shard);
            }
        }
        Collections.rotate(wanted, wanted.isEmpty() ? 0 : nextFirst++ % wanted.size());
        return wanted;
    }

    private boolean isReadable(ShardCursor shard) {
        return !state.isPaused(shard) && shard.wantsRead() && hasRoom(shard);
    }

    private boolean hasRoom(ShardCursor shard) {
        return state.lanes().fromWindow(shard.lease.shard()) < ShardCursor.ROOM;
    }

    private int nextFull() {
        List<ShardCursor> all = List.copyOf(state.shards().all());
        return all.isEmpty() ? -1 : all.get(nextFull++ % all.size()).lease.shard();
    }

    /** @param unclaimed receives the lanes that this node has no right to yet */
    private int admit(List<MessageHead> heads, Map<Integer, Page> pages, Map<Long, ShardCursor> unclaimed) {
        Map<Long, Set<String>> waits = waitsOfNewLanes(heads);
        Map<Lane, List<MessageHead>> toPark = new LinkedHashMap<>();
        List<WriterOrder.Suspicion> suspicions = new ArrayList<>();
        int fresh = 0;
        for (MessageHead head : heads) {
            ShardCursor shard = state.shards().get(head.shard());
            Page page = pages.get(head.shard());
            if (shard == null || page.cut) {
                continue;
            }
            if (!shard.mayBring(head)) {
                page.cut = true;
                continue;
            }
            if (!claims.include(head.lane())) {
                unclaimed.put(head.lane(), shard);
                page.unclaimed.merge(head.lane(), 1, Integer::sum);
                page.add(head);
                continue;
            }
            boolean inMemory = state.lanes().holds(head);
            if (!inMemory) {
                if (shard.isBelowMark(head.seq())) {
                    OutboxLog.committedLate(head);
                    shard.readAgain();
                }
                Lane lane = state.lanes().open(head.lane(), head.shard());
                lane.blockedBy(waits.get(head.lane()));
                if (head.delayed() || lane.whole || lane.isFull() && !lane.isLong && !longLanes.add(lane)) {
                    // not fresh: one that is locked is read repeatedly, and parked once it is free
                    lane.whole = true;
                    toPark.computeIfAbsent(lane, key -> new ArrayList<>()).add(head);
                } else if (lane.isLong) {
                    state.lanes().touch(lane);
                    fresh++;
                    page.fruitful = true;
                } else if (room() <= 0 || !hasRoom(shard)) {
                    state.lanes().touch(lane);
                    page.cut = true;
                    shard.leftBehind(head.seq());
                    continue;
                } else {
                    state.lanes()
                            .append(lane, head)
                            .ifPresent(later -> suspicions.add(new WriterOrder.Suspicion(head, later)));
                    fresh++;
                    page.fruitful = true;
                }
            }
            shard.seen(head.seq());
            page.add(head);
        }
        toPark.forEach(this::park);
        writerOrder.report(suspicions);
        return fresh;
    }

    /** With locks: which shards are read on, and which lanes are tried again. */
    private void pass(long now) {
        if (!claims.areLocks()) {
            return;
        }
        foreign.expire(state.shards().numbers(), claims::holds, now)
                .forEach(number -> state.shards().get(number).hot = true);
        boolean hasRoom = claims.hasRoom(now);
        boolean evenFruitless = hasRoom && shared().anyMatch(SharedShard::isUnfinished) && fruitless.begin(now);
        shared().forEach(shard -> shard.mayReadOn(hasRoom, evenFruitless));
    }

    private long untilPass(long now) {
        long untilOn = shared().anyMatch(shard -> shard.isUnfinished() && !state.isPaused(shard) && hasRoom(shard))
                ? Math.max(claims.untilRoom(now), fruitless.untilDue(now))
                : Long.MAX_VALUE;
        return Math.min(untilOn, foreign.untilExpired(now));
    }

    private Stream<SharedShard> shared() {
        return claims.areLocks() ? state.shards().all().stream().map(SharedShard.class::cast) : Stream.empty();
    }

    /** @return whether any of these lanes is claimed */
    private boolean claim(Map<Long, ShardCursor> unclaimed, Map<Integer, Page> pages) {
        boolean any = claims.lock(unclaimed.keySet(), this::firstRows, rows -> bringIn(rows, true));
        unclaimed.forEach((lane, shard) -> {
            int number = shard.lease.shard();
            Page page = pages.get(number);
            page.fruitful |= claims.holds(lane);
            shard.hot |= claims.mayTry(lane);
            if (claims.isDenied(lane) && page.unclaimed.get(lane) > Lane.CAPACITY) {
                foreign.add(number, lane, pollInterval.now());
            }
        });
        return any;
    }

    private void notePasses(Map<Integer, Page> pages) {
        shared().filter(shard -> pages.containsKey(shard.lease.shard()))
                .forEach(shard -> shard.brought(pages.get(shard.lease.shard()).fruitful));
    }

    private void passesTook(long nanos, Map<Integer, Page> pages) {
        long without = pages.values().stream().filter(page -> !page.fruitful).count();
        fruitless.took(nanos * without / pages.size());
    }

    /**
     * Claims lanes in which something waits, and brings in their first rows.
     *
     * @return whether any is claimed
     */
    boolean claim(Collection<Long> lanes) {
        return claims.lock(lanes, this::firstRows, rows -> bringIn(rows, false));
    }

    private List<MessageHead> firstRows(Set<Long> locked) {
        claimed.accept(locked);
        return store.reads().lanes(locked, Lane.CAPACITY + 1);
    }

    private static Map<Long, List<MessageHead>> byLane(List<MessageHead> rows) {
        return rows.stream()
                .filter(head -> head.status() == MessageHead.Status.READY)
                .collect(Collectors.groupingBy(MessageHead::lane, LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Completely, or as a long lane: windows may be at a later page, and must not bring in what follows too early.
     *
     * @param mayLeave another node may have the room that this one lacks, besides one long lane
     * @return lanes to give back
     */
    private Set<Long> bringIn(List<MessageHead> rows, boolean mayLeave) {
        longLanes.forgetDropped();
        Map<Long, List<MessageHead>> lanes = byLane(rows);
        Map<Long, Set<String>> waits = waitsOfNewLanes(
                lanes.values().stream().map(ready -> ready.get(0)).toList());
        Set<Long> left = new LinkedHashSet<>();
        boolean isBehind = mayLeave && longLanes.isBehind();
        for (Map.Entry<Long, List<MessageHead>> each : lanes.entrySet()) {
            List<MessageHead> ready = each.getValue();
            int number = ready.get(0).shard();
            ShardCursor shard = state.shards().get(number);
            if (shard == null) {
                continue;
            }
            boolean fits = ready.size() <= Math.min(Lane.CAPACITY, room())
                    && state.lanes().fromWindow(number) + ready.size() <= ShardCursor.ROOM;
            if (!fits && mayLeave) {
                if (!mayKeepLong(number, isBehind)) {
                    left.add(each.getKey());
                    continue;
                }
                isBehind = true;
            }
            Lane lane = state.lanes().open(each.getKey(), number);
            lane.blockedBy(waits.get(each.getKey()));
            if (lane.whole || ready.stream().anyMatch(MessageHead::delayed) || !fits && !longLanes.add(lane)) {
                lane.whole = true;
                park(lane, ready);
            } else if (fits) {
                ready.forEach(head -> state.lanes().append(lane, head));
            } else {
                // its pages are read in the next iteration
                shard.hot = true;
            }
        }
        return left;
    }

    /** Another node may never come: from time to time a lane is kept although others wait for room here. */
    private boolean mayKeepLong(int shard, boolean isBehind) {
        long now = pollInterval.now();
        boolean may = !isBehind && longLanes.hasRoom(shard) || now - lastLongAt >= BETWEEN_LONG_LANES;
        if (may) {
            lastLongAt = now;
        }
        return may;
    }

    private Map<Long, Set<String>> waitsOfNewLanes(List<MessageHead> heads) {
        Set<Long> unknown = new LinkedHashSet<>();
        for (MessageHead head : heads) {
            // with locks, other nodes make lanes of the same shard wait
            boolean mayWait = claims.areLocks() || state.shards().waiting().contains(head.shard());
            if (mayWait && state.lanes().get(head.lane()) == null && claims.include(head.lane())) {
                unknown.add(head.lane());
            }
        }
        return unknown.isEmpty() ? Map.of() : new HashMap<>(store.reads().waits(unknown));
    }

    private void park(Lane lane, List<MessageHead> rows) {
        ShardCursor shard = state.shards().get(lane.shard);
        state.writes().add(shard.lease, lane, new FencedWrite.Park(lane.key, rows), () -> {
            state.shards().mayWait(lane.shard);
            state.lanes().touch(lane);
        });
    }

    private void noteRemaining(Map<Integer, ReadWindow> windows, Map<Integer, Page> pages, long now) {
        boolean anyFull = false;
        for (ReadWindow window : windows.values()) {
            ShardCursor shard = state.shards().get(window.shard());
            Page page = pages.get(window.shard());
            boolean full = page.cut || page.rows >= window.limit();
            anyFull |= full;
            if (shard != null) {
                if (page.rows == 0
                        && !full
                        && window.above() == 0
                        && shard.noneParked
                        && !foreign.any(window.shard())
                        && state.lanes().isEmpty(window.shard())) {
                    shard.suspects = CrashSuspects.none();
                }
                shard.wasRead(page.rows == 0 ? Long.MAX_VALUE : page.last, full);
            }
        }
        if (anyFull && now - visibleAt >= VISIBLE_FOR) {
            visible = store.reads().highest();
            visibleAt = now;
        }
    }

    /** The part of a shard's window that was brought into memory. */
    private static final class Page {
        private int rows;
        private long last;
        /** The rest was not taken, and is read again. */
        private boolean cut;
        /** Something of it is in memory now that was not before. */
        private boolean fruitful;
        /** How many rows it has of lanes that this node did not hold. */
        private final Map<Long, Integer> unclaimed = new HashMap<>();

        private void add(MessageHead head) {
            rows++;
            last = Math.max(last, head.seq());
        }
    }
}
