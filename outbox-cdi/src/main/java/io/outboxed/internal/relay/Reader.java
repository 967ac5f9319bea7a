package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.observe.OutboxMeters;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.WaitingLane;
import io.outboxed.internal.store.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Brings READY rows into their lanes. Each read is one statement that starts at the shards' low-water marks: numbers are
 * given out before they are committed. Only a backlog is read on above the last row seen, up to a number that was visible
 * before. Outcomes are taken in before a read begins, so a row that has left memory can't be in a read that started earlier.
 */
final class Reader {
    private static final long BETWEEN_FULL_READS = Duration.ofSeconds(30).toNanos();
    /** A full read steps over every row settled since the oldest snapshot in the database: 5 % of the time at most. */
    private static final int FULL_READ_SHARE = 20;

    /** A backlog that grows is read on up to a number that is no older than this. */
    private static final long VISIBLE_FOR = Duration.ofMillis(100).toNanos();

    private final RelayStore store;
    private final Memory memory;
    private final int inFlight;
    /** Less room than this is not worth a statement. */
    private final int leastRoom;

    private final Pace pace;
    private final OutboxMeters meters;
    private final LooksBack looksBack;
    private final LongLanes longLanes;
    private int nextFull;
    private int nextFirst;
    private long fullDueAt;
    private long visible;
    private long visibleAt;

    Reader(RelayStore store, Memory memory, int inFlight, Pace pace, OutboxMeters meters, long now) {
        this.store = store;
        this.memory = memory;
        this.inFlight = inFlight;
        this.leastRoom = Math.max(1, inFlight / 4);
        this.pace = pace;
        this.meters = meters;
        this.fullDueAt = now + BETWEEN_FULL_READS;
        this.visibleAt = now - VISIBLE_FOR;
        this.looksBack = new LooksBack(now);
        this.longLanes = new LongLanes(store, memory, inFlight);
    }

    /** A call of this lane may never end: it must not keep the memory of others. */
    void shed(Lane lane) {
        longLanes.shed(lane);
    }

    void read(long now) {
        longLanes.readNext(memory.shards().all().stream().anyMatch(this::isReadable));
        if (looksBack.due(now)) {
            memory.shards().all().forEach(shard -> shard.mayHaveLate = true);
        }
        boolean sweep = pace.sweepDue(now);
        int full = sweep && now - fullDueAt >= 0 ? nextFull() : -1;
        Map<Integer, Window> windows = windows(sweep, full, now);
        if (windows.isEmpty()) {
            return;
        }
        long back = windows.keySet().stream()
                .filter(number -> memory.shards().get(number).wentBack())
                .count();
        long askedAt = now + pace.elapsedSince(now);
        List<Head> heads = store.ready(windows.values());
        long took = pace.elapsedSince(askedAt);
        meters.claimed(took);
        if (full >= 0) {
            fullDueAt = now + Math.max(BETWEEN_FULL_READS / 64, FULL_READ_SHARE * pace.elapsedSince(now));
        }
        looksBack.took(took * back / windows.size());
        Map<Integer, Page> pages = new HashMap<>();
        windows.keySet().forEach(number -> pages.put(number, new Page()));
        int fresh = admit(heads, pages);
        noteWhereMoreIs(windows, pages, now);
        if (sweep) {
            pace.swept(now, fresh > 0, took);
        }
    }

    /** While memory is full or every shard has enough of it, only reports make room: no look is due. */
    long untilSweep(long now) {
        boolean room = room() >= leastRoom
                && memory.shards().all().stream().anyMatch(shard -> !shard.isLeaving() && hasRoom(shard));
        return room ? pace.untilSweep(now) : Long.MAX_VALUE;
    }

    /** @param signalled shards with fresh commits, as bits */
    void note(long signalled) {
        for (HeldShard shard : memory.shards().all()) {
            shard.hot |= (signalled & 1L << shard.lease.shard()) != 0;
        }
    }

    boolean wantsMore() {
        return room() >= leastRoom && memory.shards().all().stream().anyMatch(this::isReadable);
    }

    private int room() {
        return inFlight - memory.lanes().count(Lanes.Source.WINDOW);
    }

    /**
     * All shards get an equal part of the room. Rows that were inserted together are then read, and deleted, together: a
     * page of the table is written once and not for each shard.
     */
    private Map<Integer, Window> windows(boolean sweep, int full, long now) {
        Map<Integer, Window> windows = new LinkedHashMap<>();
        int room = room();
        if (room < leastRoom) {
            return windows;
        }
        List<HeldShard> wanted = wanted(sweep);
        Map<Integer, List<Long>> without = longLanes.byShard();
        int left = wanted.size();
        for (HeldShard shard : wanted) {
            int number = shard.lease.shard();
            int inMemory = memory.lanes().fromWindow(number);
            int page = Math.min(HeldShard.ROOM - inMemory, room / left--);
            if (page > 0) {
                room -= page;
                Window window = number == full
                        ? shard.fullWindow(inMemory, page, visible)
                        : shard.window(inMemory, page, visible, now);
                windows.put(number, window.leavingOut(without.getOrDefault(number, List.of())));
            } else {
                shard.hot = true;
            }
        }
        return windows;
    }

    /** Begins with another shard each time, so that none is always the one for which there is no room. */
    private List<HeldShard> wanted(boolean sweep) {
        List<HeldShard> wanted = new ArrayList<>();
        for (HeldShard shard : memory.shards().all()) {
            if (isReadable(shard) || sweep && !shard.isLeaving() && hasRoom(shard)) {
                wanted.add(shard);
            }
        }
        Collections.rotate(wanted, wanted.isEmpty() ? 0 : nextFirst++ % wanted.size());
        return wanted;
    }

    private boolean isReadable(HeldShard shard) {
        return !shard.isLeaving() && shard.wantsLook() && hasRoom(shard);
    }

    private boolean hasRoom(HeldShard shard) {
        return memory.lanes().fromWindow(shard.lease.shard()) < HeldShard.ROOM;
    }

    private int nextFull() {
        List<HeldShard> all = List.copyOf(memory.shards().all());
        return all.isEmpty() ? -1 : all.get(nextFull++ % all.size()).lease.shard();
    }

    private int admit(List<Head> heads, Map<Integer, Page> pages) {
        Map<Long, Set<String>> waits = waitsOfNewLanes(heads);
        Map<Lane, List<Head>> toPark = new LinkedHashMap<>();
        int fresh = 0;
        for (Head head : heads) {
            HeldShard shard = memory.shards().get(head.shard());
            Page page = pages.get(head.shard());
            if (shard == null || page.cut) {
                continue;
            }
            if (!shard.mayBring(head)) {
                page.cut = true;
                continue;
            }
            boolean known = memory.lanes().holds(head);
            if (!known) {
                if (shard.isBelowMark(head.seq())) {
                    OutboxLog.committedLate(head);
                    shard.readAgain();
                }
                Lane lane = memory.lanes().open(head.lane(), head.shard());
                note(lane, waits.get(head.lane()));
                if (head.delayed() || lane.whole || lane.isFull() && !lane.isLong && !longLanes.add(lane)) {
                    lane.whole = true;
                    toPark.computeIfAbsent(lane, key -> new ArrayList<>()).add(head);
                } else if (lane.isLong) {
                    memory.lanes().touch(lane);
                } else if (room() <= 0 || !hasRoom(shard)) {
                    memory.lanes().touch(lane);
                    page.cut = true;
                    shard.leftBehind(head.seq());
                    continue;
                } else if (!memory.lanes().append(lane, head)) {
                    OutboxLog.outOfOrder(head);
                }
                fresh++;
            }
            shard.seen(head.seq());
            page.add(head);
        }
        toPark.forEach(this::park);
        return fresh;
    }

    private Map<Long, Set<String>> waitsOfNewLanes(List<Head> heads) {
        Set<Long> unknown = new LinkedHashSet<>();
        for (Head head : heads) {
            if (memory.shards().waiting().contains(head.shard())
                    && memory.lanes().get(head.lane()) == null) {
                unknown.add(head.lane());
            }
        }
        return unknown.isEmpty() ? Map.of() : new HashMap<>(store.waits(unknown));
    }

    static void note(Lane lane, Set<String> waits) {
        if (waits != null) {
            lane.blocked.addAll(waits);
            lane.whole |= lane.blocked.remove(WaitingLane.WHOLE);
        }
    }

    private void park(Lane lane, List<Head> rows) {
        HeldShard shard = memory.shards().get(lane.shard);
        memory.decisions().add(shard.lease, lane, new Decision.Park(lane.key, rows), () -> {
            memory.shards().mayWait(lane.shard);
            memory.lanes().touch(lane);
        });
    }

    private void noteWhereMoreIs(Map<Integer, Window> windows, Map<Integer, Page> pages, long now) {
        boolean anyFull = false;
        for (Window window : windows.values()) {
            HeldShard shard = memory.shards().get(window.shard());
            Page page = pages.get(window.shard());
            boolean full = page.cut || page.rows >= window.limit();
            anyFull |= full;
            if (shard != null) {
                if (page.rows == 0
                        && !full
                        && window.above() == 0
                        && memory.lanes().isEmpty(window.shard())) {
                    shard.suspects = Suspects.none();
                }
                shard.wasRead(page.rows == 0 ? Long.MAX_VALUE : page.last, full);
            }
        }
        if (anyFull && now - visibleAt >= VISIBLE_FOR) {
            visible = store.highest();
            visibleAt = now;
        }
    }

    /** What was taken in of a shard's window. */
    private static final class Page {
        private int rows;
        private long last;
        /** There was no room for the rest: it is read again. */
        private boolean cut;

        private void add(Head head) {
            rows++;
            last = Math.max(last, head.seq());
        }
    }
}
