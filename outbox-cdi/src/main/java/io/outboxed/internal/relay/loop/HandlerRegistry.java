package io.outboxed.internal.relay.loop;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.HandlerRegistrations;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.RegistrySnapshot;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;

/**
 * The registered handlers of all deployments, as this loop last read them. A message whose publisher knew more is a reason
 * to read again, so that no handler of a newer deployment is missed.
 */
final class HandlerRegistry {
    private static final int MOST_REPORTED = 1_000;
    private static final long REFRESH = Duration.ofSeconds(5).toNanos();

    private final HandlerRegistrations store;
    private RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;
    private final Set<String> reported = new HashSet<>();
    private final Set<Integer> foreign = new HashSet<>();
    private long readAt;

    HandlerRegistry(HandlerRegistrations store) {
        this.store = store;
    }

    void refresh(long wanted, long now) {
        if (snapshot == RegistrySnapshot.EMPTY || wanted > snapshot.version() || now - readAt > REFRESH) {
            readAgain(now);
        }
    }

    void readAgain(long now) {
        snapshot = store.snapshot();
        readAt = now;
    }

    /** Says once in this node's life what waits because no deployment has its handler. */
    void missing(String type) {
        report(type, LaneWait.UNKNOWN);
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

    long registryVersion() {
        return snapshot.version();
    }

    /** Handlers of a type with their groups. */
    SortedMap<String, String> of(String type) {
        return snapshot.of(type);
    }
}
