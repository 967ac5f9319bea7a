package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.DuePacing;
import io.outboxed.internal.relay.HandlerRegistry;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.memory.AdmissionQueue;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.WaitingDelivery;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings waiting deliveries that are due into their lanes, and ends waits for which nothing is left. The database
 * decides what is due, so nothing that is read here comes before its time.
 */
final class DueReader {
    private static final int PAGE = 32;
    /** Each is a statement, while other events wait for the loop. */
    private static final int PAGES_AT_ONCE = 64;

    private final RelayStore store;
    private final LoopState state;
    private final LaneClaims claims;
    private final ClaimedLanes claimedLanes;
    private final HandlerRegistry registry;
    private final Adoption adoption;
    private final int maxInMemory;
    private final LongSupplier nanoClock;
    private final Set<LaneWait> recheck = new LinkedHashSet<>();
    private final AdmissionQueue admissions;
    private final DuePacing pacing;
    /** Waits that come first in each read, although nothing is brought in for them until a call ends. */
    private int hung;
    /** Waits that come first in each read, although their messages are in memory already. */
    private int inMemory;

    /** @param mostLanes of a group that may be in memory at the same time */
    DueReader(
            RelayStore store,
            LoopState state,
            LaneClaims claims,
            ClaimedLanes claimedLanes,
            HandlerRegistry registry,
            Adoption adoption,
            int maxInMemory,
            int maxCalls,
            ToIntFunction<String> mostLanes,
            LongSupplier nanoClock) {
        this.store = store;
        this.state = state;
        this.claims = claims;
        this.claimedLanes = claimedLanes;
        this.registry = registry;
        this.adoption = adoption;
        this.maxInMemory = maxInMemory;
        this.nanoClock = nanoClock;
        this.pacing = new DuePacing(nanoClock.getAsLong());
        this.admissions = new AdmissionQueue(
                PAGES_AT_ONCE, group -> state.lanes().roomToWait(group, maxCalls, mostLanes.applyAsInt(group)));
    }

    /** A page is completed: check immediately whether there is more. */
    void recheck(LaneWait lane) {
        recheck.add(lane);
    }

    /** Whether the next page of this lane's messages without handlers is about to be checked. */
    boolean checksOn(long lane) {
        return recheck.stream().anyMatch(each -> each.lane() == lane && each.lacksHandler());
    }

    /**
     * Whether messages of this lane that waited for the first handler of their type may have one now; they come first.
     */
    boolean mayAdopt(Lane lane) {
        return lane.waitingGroups.contains(LaneWait.NO_HANDLER) && adoption.mayAdopt(lane.key);
    }

    void readDue(long now) {
        if (pacing.readDue(now) || isPending()) {
            bringInDue(now);
        }
        if (pacing.countDue(now)) {
            // query all shards: an operator may have written a lane row in one that had none
            state.shards().waiting(store.reads().waitingShards(state.shards().numbers()));
            pacing.counted(now);
            Set<Integer> without = new HashSet<>(state.shards().numbers());
            without.removeAll(state.shards().waiting());
            state.shards().noteParked(without, List.of());
        }
    }

    private void bringInDue(long now) {
        boolean reads = pacing.readDue(now);
        List<LaneWait> due = reads ? readNext(now) : List.of();
        Set<LaneWait> lanes = admissions.waits();
        recheck.removeIf(lane -> !claims.mayBringIn(lane.lane()));
        lanes.addAll(recheck);
        lanes.addAll(due);
        Set<LaneWait> completed = new LinkedHashSet<>(recheck);
        AdmissionQueue.Round round = admissions.begin();
        recheck.clear();
        if (lanes.stream().anyMatch(LaneWait::lacksHandler)) {
            registry.refresh(0, now);
        }
        open(next(lanes, reads, round));
        round.end();
        completed.removeIf(lane -> !admissions.contains(lane));
        // of a lane that is parked, messages may be left that are not parked yet: only its rows tell
        completed.removeIf(LaneWait::isParked);
        end(completed);
        if (!due.isEmpty()) {
            hung = (int) due.stream().filter(this::isReadInVain).count();
            inMemory = (int) due.stream().filter(this::isInMemory).count();
        }
    }

    private List<LaneWait> readNext(long now) {
        Set<Integer> shards = new HashSet<>(state.shards().waiting());
        if (shards.isEmpty()) {
            return List.of();
        }
        pacing.begun(now);
        shards.removeIf(state::isSuspended);
        if (shards.isEmpty()) {
            return List.of();
        }
        int limit = pacing.atOnce() + hung + Math.max(state.lanes().size(), Math.min(inMemory, maxInMemory));
        long begun = nanoClock.getAsLong();
        List<LaneWait> due = due(shards, limit);
        long end = nanoClock.getAsLong();
        pacing.ended(end, end - begun);
        Set<Long> unclaimed = Stream.concat(admissions.waits().stream(), due.stream())
                .map(LaneWait::lane)
                .filter(lane -> !claims.mayBringIn(lane))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (claimedLanes.claim(unclaimed)) {
            due = due(shards, limit);
        }
        Set<LaneWait> present = new HashSet<>(due);
        if (due.size() < limit) {
            state.shards().noteParked(shards, due);
        } else if (claims.isFull(now)) {
            due = store.reads().dueOf(claims.claimed());
            present.addAll(due);
        }
        admissions.retain(present);
        return due;
    }

    /**
     * What is due, the earliest first. Any number of aggregates may wait for a slow handler, and they come first in each
     * read: what is behind them is read without their groups.
     */
    private List<LaneWait> due(Set<Integer> shards, int limit) {
        Set<String> without = new HashSet<>();
        List<LaneWait> part = store.reads().due(shards, limit, without);
        // what is hung or in memory comes again
        Set<LaneWait> due = new LinkedHashSet<>(part);
        while (part.size() == limit && without.addAll(groupsToBringIn(part))) {
            part = store.reads().due(shards, limit, without);
            due.addAll(part);
        }
        return List.copyOf(due);
    }

    private Set<String> groupsToBringIn(List<LaneWait> due) {
        return due.stream()
                .filter(wait -> !isReadInVain(wait) && !isInMemory(wait))
                .map(LaneWait::group)
                .collect(Collectors.toSet());
    }

    /**
     * What is brought in now. Adoption brings nothing into memory, and new messages wait for it, so it must not wait for
     * anything else.
     *
     * @param read with lane claims: whether what is due has just been tried. Between reads, a lane that this node has
     *     given back keeps its place, because others would take its room
     */
    private Set<LaneWait> next(Set<LaneWait> lanes, boolean read, AdmissionQueue.Round round) {
        int adoptions = PAGES_AT_ONCE;
        for (LaneWait each : lanes) {
            ShardCursor shard = state.shards().get(each.shard());
            boolean claimed = claims.mayBringIn(each.lane());
            if (shard == null || state.isSuspended(shard)) {
                continue;
            }
            if (each.lacksHandler()) {
                if (claimed) {
                    adoptions -= adoption.mayAdopt(each.lane()) ? 1 : 0;
                    if (adoptions < 0) {
                        recheck(each);
                    } else {
                        round.admit(each);
                    }
                }
            } else if (state.lanes().mayBringIn(each.lane())) {
                if (claimed && isInMemory(each)) {
                    round.admit(each);
                } else {
                    round.offer(each, claimed, read);
                }
            }
        }
        return round.admitted();
    }

    /** Nothing is left of most whose page is completed, and new messages wait until that is known. */
    private void end(Set<LaneWait> completed) {
        completed.stream().limit(PAGES_AT_ONCE).filter(this::ends).forEach(admissions::remove);
        completed.stream().skip(PAGES_AT_ONCE).filter(admissions::remove).forEach(this::recheck);
    }

    boolean isPending() {
        return !recheck.isEmpty() || admissions.anyHasRoom(claims::mayBringIn);
    }

    long untilRead(long now) {
        return state.shards().waiting().isEmpty() ? Long.MAX_VALUE : pacing.untilRead(now);
    }

    private void open(Set<LaneWait> next) {
        Set<Long> unknown = next.stream()
                .map(LaneWait::lane)
                .filter(lane -> state.lanes().get(lane) == null)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Map<Long, Set<String>> waits = unknown.isEmpty()
                ? new HashMap<>()
                : new HashMap<>(store.reads().waits(unknown));
        Set<Lane> opened = new LinkedHashSet<>();
        for (LaneWait each : next) {
            if (!each.lacksHandler() && state.writes().hasPendingFor(each.lane())) {
                // its rows are not yet as the decision makes them: they are read once it is stored
                continue;
            }
            if (hasRoom(each)) {
                Lane lane = state.open(each.lane(), each.shard());
                lane.addWaitingGroups(waits.remove(each.lane()));
                bringIn(state.shards().get(each.shard()), lane, each);
                opened.add(lane);
            } else {
                admissions.add(each);
            }
        }
        // only now: a lane that is empty in between would be forgotten, together with what else is known to wait there
        opened.forEach(state.lanes()::touch);
    }

    /**
     * Its call does not end, or another node has the lane. Not those that this node has no room to claim: there may be
     * any number of them, and those of its own lanes are read without them.
     */
    private boolean isReadInVain(LaneWait wait) {
        return claims.isDenied(wait.lane())
                || claims.mayBringIn(wait.lane())
                        && !wait.lacksHandler()
                        && !state.lanes().mayBringIn(wait.lane());
    }

    /** What is due of these waits is in memory already, or is held back by a locked row or by calls. */
    private boolean isInMemory(LaneWait wait) {
        return state.writes().isHeld(wait.lane())
                || (wait.lacksHandler() ? adoption.waitsForCalls(state.lanes().get(wait.lane())) : hasPage(wait));
    }

    private boolean hasPage(LaneWait wait) {
        Lane lane = state.lanes().get(wait.lane());
        return lane != null
                && (wait.isParked() ? !lane.queue.isEmpty() : state.lanes().hasPage(lane, wait.group()));
    }

    private boolean hasRoom(LaneWait wait) {
        return wait.lacksHandler() || isInMemory(wait) || admissions.hasRoom(wait.group());
    }

    /** Whether deliveries of a group that are due wait until others of it have left memory, as far as the last read shows. */
    boolean lacksRoom(String group) {
        return admissions.lacksRoom(group);
    }

    private void bringIn(ShardCursor shard, Lane lane, LaneWait wait) {
        switch (wait.group()) {
            case LaneWait.PARKED -> bringInParked(shard, lane, wait);
            case LaneWait.NO_HANDLER -> {
                if (adoption.adopt(shard, lane, wait)) {
                    recheck(wait);
                }
            }
            default -> bringInPage(lane, wait);
        }
    }

    private void bringInParked(ShardCursor shard, Lane lane, LaneWait wait) {
        lane.parked = true;
        if (!lane.queue.isEmpty()) {
            return;
        }
        List<MessageHead> rows = store.reads().lane(lane.key, PAGE);
        shard.suspects.found(Set.of(lane.key), rows);
        if (!rows.isEmpty()) {
            state.lanes().appendParked(lane, rows);
        } else {
            ends(wait);
        }
    }

    private void bringInPage(Lane lane, LaneWait wait) {
        if (state.lanes().hasPage(lane, wait.group())) {
            return;
        }
        lane.behindAnother.remove(wait.group());
        List<WaitingDelivery> page = store.reads().waiting(lane.key, wait.group(), PAGE);
        if (!page.isEmpty()) {
            lane.waitingGroups.add(wait.group());
            state.lanes().putPage(lane, wait.group(), page);
        } else {
            ends(wait);
        }
    }

    /** Whether nothing is left of it. */
    private boolean ends(LaneWait wait) {
        boolean ends = state.writes().refresh(state.shards().get(wait.shard()).lease, wait);
        Lane lane = state.lanes().get(wait.lane());
        if (ends && lane != null) {
            lane.ends(wait.group());
        }
        return ends;
    }
}
