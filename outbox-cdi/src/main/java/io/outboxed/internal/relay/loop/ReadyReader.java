package io.outboxed.internal.relay.loop;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.PollInterval;
import io.outboxed.internal.relay.WriterOrder;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import io.outboxed.internal.store.ReadWindow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Brings READY rows into their lanes, with one statement for all shards. Outcomes are processed before a read begins, so
 * a row that has left memory can't be part of a read that started earlier.
 */
final class ReadyReader {
    private final MessageReads store;
    private final LoopState state;
    private final LaneClaims claims;
    private final ClaimedLanes claimedLanes;
    private final LongLaneReader longLanes;
    private final ReadWindows windows;
    private final BacklogPasses passes;
    private final PollInterval pollInterval;
    private final OutboxMeters meters;
    private final WriterOrder writerOrder;
    private final LongSupplier nanoClock;

    ReadyReader(
            MessageReads store,
            LoopState state,
            LaneClaims claims,
            ClaimedLanes claimedLanes,
            LongLaneReader longLanes,
            PollInterval pollInterval,
            OutboxMeters meters,
            int maxInMemory,
            LongSupplier nanoClock) {
        long now = nanoClock.getAsLong();
        this.store = store;
        this.state = state;
        this.claims = claims;
        this.claimedLanes = claimedLanes;
        this.longLanes = longLanes;
        this.passes = new BacklogPasses(state, claims, now);
        this.windows = new ReadWindows(store, state, claims, longLanes, passes, pollInterval, maxInMemory, now);
        this.pollInterval = pollInterval;
        this.meters = meters;
        this.writerOrder = new WriterOrder(store, meters);
        this.nanoClock = nanoClock;
    }

    void read(long now) {
        claimedLanes.readDropped();
        longLanes.readNext(windows.isAnyReadable());
        ReadWindows.Read read = windows.next(now);
        if (read.windows().isEmpty()) {
            return;
        }
        long askedAt = nanoClock.getAsLong();
        Collection<ReadWindow> wanted = read.windows().values();
        List<MessageHead> heads = read.isSweep() ? store.sweep(wanted) : store.ready(wanted);
        long took = nanoClock.getAsLong() - askedAt;
        meters.polled(took);
        windows.took(read, took);
        claim(admit(heads, read.pages()), read.pages());
        passes.brought(read.pages());
        windows.noteRemaining(read, now);
        passes.took(nanoClock.getAsLong() - askedAt, read.pages());
        if (read.isSweep()) {
            pollInterval.swept(now, read.isFruitful(), took);
        }
    }

    long untilRead(long now) {
        return windows.untilRead(now);
    }

    boolean wantsMore() {
        return windows.wantsMore();
    }

    /** Whether events of other lanes have to wait until some have left memory. */
    boolean isFull() {
        return windows.isFull() || claims.lacksRoom();
    }

    /** Whether others have to wait until messages of this lane, or of those like it, have left memory. */
    boolean lacksRoomBeside(Lane lane) {
        return lane.isLong ? longLanes.lacksRoom() : windows.isShardFull(lane.shard);
    }

    /** What was read before means nothing any more. */
    void reset() {
        windows.reset();
    }

    /** @param signalled shards with new commits, as bits */
    void note(long signalled) {
        windows.note(signalled);
    }

    /** A call of this lane may never end: the messages behind it must not take memory from others. */
    void shed(Lane lane) {
        longLanes.shed(lane);
    }

    /** @return the lanes that this node has no right to yet */
    private Map<Long, ShardCursor> admit(List<MessageHead> heads, Map<Integer, ReadWindows.Page> pages) {
        Placement placement = new Placement(claimedLanes.waits(heads));
        for (MessageHead head : heads) {
            ShardCursor shard = state.shards().get(head.shard());
            ReadWindows.Page page = pages.get(head.shard());
            if (!page.cut) {
                placement.admit(head, shard, page);
            }
        }
        placement.toPark.forEach(state::park);
        writerOrder.report(placement.overtaken);
        return placement.unclaimed;
    }

    private void claim(Map<Long, ShardCursor> unclaimed, Map<Integer, ReadWindows.Page> pages) {
        claimedLanes.claimIfRoom(unclaimed.keySet());
        unclaimed.forEach((lane, shard) -> {
            int number = shard.lease.shard();
            ReadWindows.Page page = pages.get(number);
            page.fruitful |= claims.holds(lane);
            shard.needsRead |= claims.mayTry(lane);
            if (claims.isForeign(lane) && page.unclaimed.get(lane) > Lane.CAPACITY) {
                passes.leaveOut(number, lane, nanoClock.getAsLong());
            }
        });
    }

    /** Decides for each row of a read where it goes. */
    private final class Placement {
        /** The handler groups that wait in lanes that are opened now. */
        private final Map<Long, Set<String>> waits;

        private final Map<Long, ShardCursor> unclaimed = new LinkedHashMap<>();
        private final Map<Lane, List<MessageHead>> toPark = new LinkedHashMap<>();
        private final List<WriterOrder.Overtaken> overtaken = new ArrayList<>();

        private Placement(Map<Long, Set<String>> waits) {
            this.waits = waits;
        }

        private void admit(MessageHead head, ShardCursor shard, ReadWindows.Page page) {
            if (!shard.mayBring(head)) {
                page.cut = true;
            } else if (!claims.mayBringIn(head.lane())) {
                unclaimed.put(head.lane(), shard);
                page.unclaimed.merge(head.lane(), 1, Integer::sum);
                page.add(head);
            } else if (state.lanes().holds(head) || takes(head, shard, page)) {
                shard.seen(head.seq());
                page.add(head);
            }
        }

        /** @return false: there is no room for it */
        private boolean takes(MessageHead head, ShardCursor shard, ReadWindows.Page page) {
            if (shard.isBelowMark(head.seq())) {
                if (!head.delayed()) {
                    // a delayed one may have been locked until now, and has no order
                    OutboxLog.committedLate(head);
                }
                shard.readAgain();
            }
            Lane lane = state.open(head.lane(), head.shard());
            lane.addWaitingGroups(waits.get(head.lane()));
            if (head.delayed() || lane.parked || lane.isFull() && !lane.isLong && !longLanes.add(lane)) {
                // brings nothing: one that is locked is read repeatedly, and parked once it is free
                lane.parked = true;
                toPark.computeIfAbsent(lane, key -> new ArrayList<>()).add(head);
                return true;
            }
            if (!lane.isLong && !hasRoom(head.shard())) {
                state.lanes().touch(lane);
                page.cut = true;
                shard.leftBehind(head.seq());
                return false;
            }
            append(lane, head);
            page.fruitful = true;
            return true;
        }

        private void append(Lane lane, MessageHead head) {
            if (lane.isLong) {
                state.lanes().touch(lane);
            } else {
                state.lanes()
                        .append(lane, head)
                        .ifPresent(later -> overtaken.add(new WriterOrder.Overtaken(head, later)));
            }
        }

        private boolean hasRoom(int shard) {
            return state.lanes().windowRoom() > 0 && state.lanes().windowRoom(shard) > 0;
        }
    }
}
