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

/**
 * Messages that have waited because no handler of their type was registered get the handlers that are registered now.
 */
final class Adoption {
    private static final int PAGE = 128;
    private static final int MAX_REMEMBERED = 10_000;

    private final RelayStore store;
    private final LoopState state;
    private final HandlerRegistry registry;
    private final long deferMicros;
    /** The registry version at which a lane was last checked without finding anything to adopt. */
    private final Map<Long, Long> nothingToAdopt = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    Adoption(RelayStore store, LoopState state, HandlerRegistry registry, Duration defer) {
        this.store = store;
        this.state = state;
        this.registry = registry;
        this.deferMicros = defer.toNanos() / 1000;
    }

    /** Whether the registry has changed since nothing of this lane could be adopted. */
    boolean mayAdopt(long lane) {
        return nothingToAdopt.getOrDefault(lane, -1L) != registry.registryVersion();
    }

    /** @return whether anything is adopted; check again once that is stored */
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
                nothingToAdopt.remove(lane.key);
                return false;
            }
            nothingToAdopt.put(lane.key, registry.registryVersion());
        }
        state.writes().add(shard.lease, lane, new FencedWrite.Postpone(wait, deferMicros), () -> {});
        return false;
    }

    private boolean adopt(ShardCursor shard, Lane lane, MessageHead head) {
        Map<String, String> handlers = new TreeMap<>(registry.of(head.type()));
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
