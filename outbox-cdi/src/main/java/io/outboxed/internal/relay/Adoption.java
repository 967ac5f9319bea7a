package io.outboxed.internal.relay;

import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.WaitingLane;
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
    private final Memory memory;
    private final KnownHandlers known;
    private final long deferMicros;
    /** With which version of the registry nothing of a lane could be adopted. */
    private final Map<Long, Long> inVain = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    Adoption(RelayStore store, Memory memory, KnownHandlers known, Duration defer) {
        this.store = store;
        this.memory = memory;
        this.known = known;
        this.deferMicros = defer.toNanos() / 1000;
    }

    /** Whether the registry has grown since nothing of this lane could be adopted. */
    boolean mayAdopt(long lane) {
        return inVain.getOrDefault(lane, -1L) != known.version();
    }

    /** @return whether anything is adopted, and it is to be looked once more when that is stored */
    boolean adopt(HeldShard shard, Lane lane, WaitingLane wait) {
        if (mayAdopt(lane.key)) {
            boolean any = false;
            List<Head> page;
            long above = 0;
            do {
                page = store.unadopted(lane.key, above, PAGE);
                for (Head head : page) {
                    above = head.seq();
                    any |= adopt(shard, lane, head);
                }
            } while (page.size() == PAGE);
            if (any) {
                return true;
            }
            if (above == 0 && store.refresh(shard.lease, wait)) {
                lane.blocked.remove(WaitingLane.UNKNOWN);
                inVain.remove(lane.key);
                return false;
            }
            inVain.put(lane.key, known.version());
        }
        memory.decisions().add(shard.lease, lane, new Decision.Postpone(wait, deferMicros), () -> {});
        return false;
    }

    private boolean adopt(HeldShard shard, Lane lane, Head head) {
        Map<String, String> handlers = new TreeMap<>(known.of(head.type()));
        if (handlers.isEmpty()) {
            return false;
        }
        memory.decisions()
                .add(
                        shard.lease,
                        lane,
                        new Decision.Adopt(head, handlers),
                        () -> memory.blocked(lane, handlers.values()));
        return true;
    }
}
