package io.outboxed.internal.relay;

import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Waiting;
import io.outboxed.internal.store.WaitingLane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Brings what waited and is due now into its lane, and ends waits that have nothing left. */
final class Waits {
    private static final long BETWEEN_READS = Duration.ofMillis(50).toNanos();
    private static final long BETWEEN_COUNTS = Duration.ofSeconds(2).toNanos();
    private static final int AT_ONCE = 64;
    private static final int PAGE = 32;

    private final RelayStore store;
    private final Memory memory;
    private final Deliveries deliveries;
    private final KnownHandlers known;
    private final int room;
    private final long deferMicros;
    private final Set<WaitingLane> recheck = new LinkedHashSet<>();
    private final Set<Integer> foreign = new HashSet<>();
    private long nextRead;
    private long nextCount;

    Waits(RelayStore store, Memory memory, Deliveries deliveries, KnownHandlers known, int inFlight, Duration defer) {
        this.store = store;
        this.memory = memory;
        this.deliveries = deliveries;
        this.known = known;
        this.room = inFlight;
        this.deferMicros = defer.toNanos() / 1000;
    }

    /** A page has been worked off: look at once whether there is more. */
    void recheck(WaitingLane lane) {
        recheck.add(lane);
    }

    /** Shards in which something waits for a handler that this node does not have; forgotten by this call. */
    Set<Integer> takeForeign() {
        Set<Integer> taken = Set.copyOf(foreign);
        foreign.clear();
        return taken;
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
        if (!shards.isEmpty() && now - nextCount >= 0) {
            memory.shards().waiting(store.waitingShards(shards));
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
        Map<Long, Set<String>> waits = unknown.isEmpty() ? Map.of() : store.waits(unknown);
        for (WaitingLane each : lanes) {
            HeldShard shard = memory.shards().get(each.shard());
            if (shard != null && shard.leavingTo == null && memory.lanes().byLane() < room) {
                Lane lane = memory.lanes().open(each.lane(), each.shard());
                Reader.note(lane, waits.get(each.lane()));
                bringIn(shard, lane, each);
                memory.lanes().touch(lane);
            }
        }
    }

    private void bringIn(HeldShard shard, Lane lane, WaitingLane wait) {
        switch (wait.group()) {
            case WaitingLane.WHOLE -> bringInWhole(shard, lane, wait);
            case WaitingLane.UNKNOWN -> adopt(shard, lane, wait);
            default -> bringInPage(shard, lane, wait);
        }
    }

    private void bringInWhole(HeldShard shard, Lane lane, WaitingLane wait) {
        lane.whole = true;
        if (!lane.queue.isEmpty()) {
            return;
        }
        List<Head> rows = store.lane(lane.key, PAGE);
        memory.lanes().appendPage(lane, rows);
        if (rows.isEmpty() && store.refresh(shard.lease, wait)) {
            lane.whole = false;
        }
    }

    private void bringInPage(HeldShard shard, Lane lane, WaitingLane wait) {
        if (lane.waiting.containsKey(wait.group())) {
            return;
        }
        List<Waiting> page = store.waiting(lane.key, wait.group(), PAGE);
        if (page.isEmpty()) {
            if (store.refresh(shard.lease, wait)) {
                lane.blocked.remove(wait.group());
            }
            return;
        }
        lane.blocked.add(wait.group());
        if (deliveries.knows(
                new HandlerKey(page.get(0).head().type(), page.get(0).handler()))) {
            memory.lanes().putPage(lane, wait.group(), page);
        } else {
            known.missing(page.get(0).head().type(), page.get(0).handler());
            foreign.add(wait.shard());
            postpone(shard, lane, wait);
        }
    }

    private void adopt(HeldShard shard, Lane lane, WaitingLane wait) {
        List<Waiting> page = store.waiting(lane.key, WaitingLane.UNKNOWN, PAGE);
        if (page.isEmpty()) {
            if (store.refresh(shard.lease, wait)) {
                lane.blocked.remove(WaitingLane.UNKNOWN);
            }
            return;
        }
        boolean anyAdopted = false;
        for (Waiting each : page) {
            Map<String, String> handlers = known.groups(each.head().type());
            if (!handlers.isEmpty()) {
                anyAdopted = true;
                memory.decisions()
                        .add(
                                shard.lease,
                                new Decision.Adopt(each.head(), handlers),
                                () -> lane.blocked.addAll(handlers.values()),
                                () -> memory.readAgain(lane));
            }
        }
        if (anyAdopted) {
            recheck(wait);
        } else {
            postpone(shard, lane, wait);
        }
    }

    private void postpone(HeldShard shard, Lane lane, WaitingLane wait) {
        memory.decisions()
                .add(shard.lease, new Decision.Postpone(wait, deferMicros), () -> {}, () -> memory.readAgain(lane));
    }
}
