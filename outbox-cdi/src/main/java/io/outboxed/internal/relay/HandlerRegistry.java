package io.outboxed.internal.relay;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * The registered handlers of all deployments, as last read by this loop. A message whose publisher knew a newer version
 * causes another read, so that no handler of a newer deployment is missed.
 */
public final class HandlerRegistry {
    private static final int MAX_REPORTED = 1_000;
    private static final long REFRESH = Duration.ofSeconds(5).toNanos();

    private final HandlerRegistrations store;
    private final HandlerInvoker own;
    private final LongConsumer foreignLane;
    private RegistrySnapshot snapshot = RegistrySnapshot.EMPTY;
    private final Set<String> reported = new HashSet<>();
    private final Set<Integer> foreign = new HashSet<>();
    private Map<String, SortedSet<String>> retired = Map.of();
    private long deployment;
    private long readAt;
    private long revision;

    /** @param foreignLane receives lanes in which messages wait for a handler that this node does not have */
    public HandlerRegistry(HandlerRegistrations store, HandlerInvoker own, LongConsumer foreignLane) {
        this.store = store;
        this.own = own;
        this.foreignLane = foreignLane;
    }

    public void refresh(long wanted, long now) {
        if (snapshot == RegistrySnapshot.EMPTY || wanted > snapshot.version() || now - readAt > REFRESH) {
            readAgain(now);
        }
    }

    public void readAgain(long now) {
        RegistrySnapshot next = store.snapshot();
        revision += next.equals(snapshot) ? 0 : 1;
        if (snapshot == RegistrySnapshot.EMPTY) {
            deployment = next.deploymentOf(own.all());
        }
        snapshot = next;
        readAt = now;
        reportRetired();
    }

    /** Registered at the start of this node, and not since: until it starts again, events do not wait for them. */
    private void reportRetired() {
        Map<String, SortedSet<String>> before = retired;
        retired = new TreeMap<>();
        for (HandlerKey key : own.all()) {
            if (!snapshot.of(key.type()).containsKey(key.handler())) {
                retired.computeIfAbsent(key.handler(), handler -> new TreeSet<>())
                        .add(key.type());
            }
        }
        retired.forEach((handler, types) -> {
            if (!types.equals(before.get(handler))) {
                OutboxLog.ownHandlerRetired(handler, types);
            }
        });
    }

    /** Logs once per node and type that its messages wait because no deployment has a handler for them. */
    public void missing(String type) {
        report(type, LaneWait.NO_HANDLER);
    }

    /**
     * Logs once per node and handler that messages wait because this node does not have it. One that is no newer than
     * this node's own handlers was removed: newer nodes usually lack it too, and would end up with all the shards.
     */
    public void missing(String type, String handler, MessageHead head) {
        if (snapshot.versionOf(new HandlerKey(type, handler)) > deployment) {
            foreign.add(head.shard());
        }
        foreignLane.accept(head.lane());
        report(type, handler);
    }

    private void report(String type, String handler) {
        if (reported.size() < MAX_REPORTED && reported.add(type + " " + handler)) {
            OutboxLog.handlerMissing(type, handler);
        }
    }

    /** Returns and clears the shards in which messages wait for a handler that a newer deployment may have. */
    public Set<Integer> takeLackingHandlers() {
        Set<Integer> taken = Set.copyOf(foreign);
        foreign.clear();
        return taken;
    }

    /**
     * Grows with each change that this node has read. A version does not tell: after a failover that has lost one,
     * another registration gets its number.
     */
    public long revision() {
        return revision;
    }

    /** The handlers of a type, with their groups. */
    public SortedMap<String, String> of(String type) {
        return snapshot.of(type);
    }
}
