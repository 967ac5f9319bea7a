package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Messages that waited since no handler of their type was registered get the handlers that are registered by now. */
final class Adoption {
    private static final int PAGE = 128;
    private static final int MOST_REMEMBERED = 10_000;

    private final RelayStore store;
    private final LoopState state;
    private final HandlerRegistry known;
    private final long deferMicros;
    /** With which registry version nothing of a lane could be adopted. */
    private final Map<Long, Long> inVain = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    Adoption(RelayStore store, LoopState state, HandlerRegistry known, Duration defer) {
        this.store = store;
        this.state = state;
        this.known = known;
        this.deferMicros = defer.toNanos() / 1000;
    }

    /** Whether the registry has grown since nothing of this lane could be adopted. */
    boolean mayAdopt(long lane) {
        return inVain.getOrDefault(lane, -1L) != known.registryVersion();
    }

    /** @return whether anything is adopted; check again when that is stored */
    boolean adopt(ShardCursor shard, Lane lane, LaneWait wait) {
        if (mayAdopt(lane.key)) {
            boolean any = false;
            List<MessageHead> page;
            long above = 0;
            do {
                page = store.reads().unadopted(lane.key, above, PAGE);
                for (MessageHead head : page) {
                    above = head.seq();
                    any |= adopt(shard, lane, head);
                }
            } while (page.size() == PAGE);
            if (any) {
                return true;
            }
            if (above == 0 && store.writes().refresh(shard.lease, wait)) {
                lane.blocked.remove(LaneWait.UNKNOWN);
                inVain.remove(lane.key);
                return false;
            }
            inVain.put(lane.key, known.registryVersion());
        }
        state.writes().add(shard.lease, lane, new FencedWrite.Postpone(wait, deferMicros), () -> {});
        return false;
    }

    private boolean adopt(ShardCursor shard, Lane lane, MessageHead head) {
        Map<String, String> handlers = new TreeMap<>(known.of(head.type()));
        if (handlers.isEmpty()) {
            return false;
        }
        state.writes()
                .add(
                        shard.lease,
                        lane,
                        new FencedWrite.Adopt(head, handlers),
                        () -> state.blocked(lane, handlers.values()));
        return true;
    }
}
