package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.HandlerRegistry;
import io.outboxed.internal.relay.failure.DeferralPacing;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Messages that have waited because no handler of their type was registered get the handlers that are registered now.
 */
final class Adoption {
    private static final int PAGE = 128;
    private static final int MAX_REMEMBERED = 10_000;

    private final RelayStore store;
    private final LoopState state;
    private final HandlerRegistry registry;
    private final DeferralPacing pacing;
    private final Map<Long, ScanPosition> checked = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, ScanPosition> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /**
     * How far a lane is checked.
     *
     * @param above the next page begins above this row
     * @param any whether anything below was adopted: then the lane is checked from its start once more
     */
    private record ScanPosition(long revision, long above, boolean any) {
        private static final long END = Long.MAX_VALUE;

        private ScanPosition next(List<MessageHead> page, boolean adopted) {
            if (page.size() == PAGE) {
                return new ScanPosition(revision, page.get(PAGE - 1).seq(), adopted);
            }
            return new ScanPosition(revision, adopted ? 0 : END, false);
        }
    }

    Adoption(RelayStore store, LoopState state, HandlerRegistry registry, DeferralPacing pacing) {
        this.store = store;
        this.state = state;
        this.registry = registry;
        this.pacing = pacing;
    }

    void forget(Set<Long> lanes) {
        checked.keySet().removeAll(lanes);
    }

    /** Whether the registry has changed since nothing of this lane could be adopted. */
    boolean mayAdopt(long lane) {
        return position(lane).above() != ScanPosition.END;
    }

    /** @param lane null: not in memory */
    boolean waitsForCalls(Lane lane) {
        return lane != null && !lane.turns.isEmpty() && mayAdopt(lane.key);
    }

    private ScanPosition position(long lane) {
        ScanPosition last = checked.get(lane);
        boolean current = last != null && last.revision() == registry.revision();
        return current ? last : new ScanPosition(registry.revision(), 0, false);
    }

    /**
     * Checks one page, so that a long lane does not hold up the others.
     *
     * @return whether there is more to check, once what is adopted is stored
     */
    boolean adopt(ShardCursor shard, Lane lane, LaneWait wait) {
        if (state.writes().isHeld(lane.key)) {
            return false;
        }
        ScanPosition position = position(lane.key);
        if (position.above() != ScanPosition.END) {
            if (waitsForCalls(lane)) {
                // their handlers were selected without what would now come before them
                return false;
            }
            List<MessageHead> page = store.reads().unadopted(lane.key, position.above(), PAGE);
            if (page.isEmpty() && position.above() == 0 && state.writes().refresh(shard.lease, wait)) {
                lane.waitingGroups.remove(LaneWait.NO_HANDLER);
                checked.remove(lane.key);
                return false;
            }
            if (state.writes().isLocked(shard.lease)) {
                return false;
            }
            boolean any = position.any();
            for (MessageHead head : page) {
                any |= adopt(shard, lane, head);
            }
            checked.put(lane.key, position.next(page, any));
            if (mayAdopt(lane.key)) {
                return true;
            }
        }
        long delay = pacing.delayMicros(LaneWait.NO_HANDLER);
        state.writes().add(shard.lease, new FencedWrite.PostponeLane(wait, delay), () -> {});
        return false;
    }

    private boolean adopt(ShardCursor shard, Lane lane, MessageHead head) {
        Map<String, String> handlers = new TreeMap<>(registry.of(head.type()));
        if (handlers.isEmpty()) {
            return false;
        }
        state.writes()
                .add(shard.lease, new FencedWrite.Adopt(head, handlers), () -> state.adopted(lane, handlers.values()));
        return true;
    }
}
