package io.outboxed.internal.relay;

import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Waiting;
import io.outboxed.internal.store.WaitingLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Brings what waited and is due now into its lane, and ends waits that have nothing left. What is due is the database's word:
 * nothing that is asked for here comes before its time.
 */
final class Waits {
    private static final long BETWEEN_READS = Duration.ofMillis(50).toNanos();
    private static final long BETWEEN_COUNTS = Duration.ofSeconds(2).toNanos();
    private static final int AT_ONCE = 64;
    private static final int PAGE = 32;

    private final RelayStore store;
    private final Memory memory;
    private final KnownHandlers known;
    private final Adoption adoption;
    private final int room;
    private final Set<WaitingLane> recheck = new LinkedHashSet<>();
    private long nextRead;
    private long nextCount;

    Waits(RelayStore store, Memory memory, KnownHandlers known, int inFlight, Duration defer) {
        this.store = store;
        this.memory = memory;
        this.known = known;
        this.adoption = new Adoption(store, memory, known, defer);
        this.room = inFlight;
    }

    /** A page has been worked off: look at once whether there is more. */
    void recheck(WaitingLane lane) {
        recheck.add(lane);
    }

    /** Messages of this lane waited for the first handler of their type; it may be there by now, and they come first. */
    boolean mayAdopt(Lane lane) {
        return lane.blocked.contains(WaitingLane.UNKNOWN) && adoption.mayAdopt(lane.key);
    }

    void readDue(long now) {
        Set<WaitingLane> lanes = new LinkedHashSet<>(recheck);
        recheck.clear();
        Set<Integer> shards = memory.shards().waiting();
        if (!shards.isEmpty() && now - nextRead >= 0) {
            lanes.addAll(store.due(shards, AT_ONCE + memory.lanes().size()));
            nextRead = now + BETWEEN_READS;
        }
        if (lanes.stream().anyMatch(lane -> lane.group().equals(WaitingLane.UNKNOWN))) {
            known.refresh(0, now);
        }
        open(lanes);
        if (now - nextCount >= 0) {
            // of all shards: an operator may have written a lane row where none was
            memory.shards().waiting(store.waitingShards(memory.shards().numbers()));
            nextCount = now + BETWEEN_COUNTS;
        }
    }

    boolean isPending() {
        return !recheck.isEmpty();
    }

    long untilRead(long now) {
        return memory.shards().waiting().isEmpty() ? Long.MAX_VALUE : Math.max(0, nextRead - now);
    }

    private void open(Set<WaitingLane> lanes) {
        List<Long> unknown = new ArrayList<>();
        for (WaitingLane each : lanes) {
            if (memory.lanes().get(each.lane()) == null && memory.shards().get(each.shard()) != null) {
                unknown.add(each.lane());
            }
        }
        Map<Long, Set<String>> waits = unknown.isEmpty() ? new HashMap<>() : new HashMap<>(store.waits(unknown));
        Set<Lane> opened = new LinkedHashSet<>();
        for (WaitingLane each : lanes) {
            HeldShard shard = memory.shards().get(each.shard());
            boolean hasRoom = memory.lanes().count(Lanes.Source.WAIT) < room;
            if (shard != null && !shard.isLeaving() && hasRoom) {
                Lane lane = memory.lanes().open(each.lane(), each.shard());
                Reader.note(lane, waits.remove(each.lane()));
                bringIn(shard, lane, each);
                opened.add(lane);
            }
        }
        // only now: a lane that looks empty in between would be forgotten, and with it what else waits there
        opened.forEach(memory.lanes()::touch);
    }

    private void bringIn(HeldShard shard, Lane lane, WaitingLane wait) {
        switch (wait.group()) {
            case WaitingLane.WHOLE -> bringInWhole(shard, lane, wait);
            case WaitingLane.UNKNOWN -> {
                if (adoption.adopt(shard, lane, wait)) {
                    recheck(wait);
                }
            }
            default -> bringInPage(shard, lane, wait);
        }
    }

    private void bringInWhole(HeldShard shard, Lane lane, WaitingLane wait) {
        lane.whole = true;
        if (!lane.queue.isEmpty()) {
            return;
        }
        List<Head> rows = store.lane(lane.key, PAGE);
        memory.lanes().appendPage(lane, rows, Lanes.Source.WAIT);
        if (rows.isEmpty() && store.refresh(shard.lease, wait)) {
            lane.whole = false;
        }
    }

    private void bringInPage(HeldShard shard, Lane lane, WaitingLane wait) {
        if (lane.waiting.containsKey(wait.group())) {
            return;
        }
        List<Waiting> page = store.waiting(lane.key, wait.group(), PAGE);
        if (!page.isEmpty()) {
            lane.blocked.add(wait.group());
            memory.lanes().putPage(lane, wait.group(), page);
        } else if (store.refresh(shard.lease, wait)) {
            lane.blocked.remove(wait.group());
        }
    }
}
