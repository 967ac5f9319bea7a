package io.outboxed.internal.relay;

import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.store.Registry;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.WaitingLane;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;

/**
 * The registered handlers of all deployments, as this loop last read them. A message whose publisher knew more is a reason
 * to read again, so that no handler of a newer deployment is missed. Owned by the loop.
 */
final class KnownHandlers {
    private static final int MOST_REPORTED = 1_000;
    private static final long REFRESH = Duration.ofSeconds(5).toNanos();

    private final RelayStore store;
    private Registry registry = Registry.EMPTY;
    private final Set<String> reported = new HashSet<>();
    private final Set<Integer> foreign = new HashSet<>();
    private long readAt;

    KnownHandlers(RelayStore store) {
        this.store = store;
    }

    void refresh(long wanted, long now) {
        if (registry == Registry.EMPTY || wanted > registry.version() || now - readAt > REFRESH) {
            readAgain(now);
        }
    }

    void readAgain(long now) {
        registry = store.registry();
        readAt = now;
    }

    /** Says once in this node's life what waits because no deployment has its handler. */
    void missing(String type) {
        report(type, WaitingLane.UNKNOWN);
    }

    /** Says once in this node's life what waits because this node does not have its handler. */
    void missing(String type, String handler, int shard) {
        foreign.add(shard);
        report(type, handler);
    }

    private void report(String type, String handler) {
        if (reported.size() < MOST_REPORTED && reported.add(type + " " + handler)) {
            OutboxLog.handlerMissing(type, handler);
        }
    }

    /** Shards in which something waits for a handler that this node does not have; forgotten by this call. */
    Set<Integer> takeForeign() {
        Set<Integer> taken = Set.copyOf(foreign);
        foreign.clear();
        return taken;
    }

    long version() {
        return registry.version();
    }

    /** Handlers of a type with their groups. */
    SortedMap<String, String> of(String type) {
        return registry.of(type);
    }
}
