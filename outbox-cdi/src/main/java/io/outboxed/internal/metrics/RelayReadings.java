package io.outboxed.internal.metrics;

import io.outboxed.internal.store.Backlog;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * What the gauges show of this node's relay. After a failed iteration it holds no shards here; probes ask {@code
 * RelayStatus}.
 */
public final class RelayReadings {
    private volatile int shardsHeld;
    private volatile boolean stalled = true;
    private volatile IntSupplier handlersRunning = () -> 0;
    private volatile int handlersLate;
    private volatile int pauses;
    private volatile Backlog backlog;
    private volatile Map<String, Long> operatorChanges = Map.of();

    /** Shards that this node relays. */
    public int shardsHeld() {
        return shardsHeld;
    }

    /** Whether the relay starts no calls: before its first iteration, without database or lease, and while it stops. */
    public boolean stalled() {
        return stalled;
    }

    /** Handler calls that are running now. */
    public int handlersRunning() {
        return handlersRunning.getAsInt();
    }

    /** Calls that exceed {@code outbox.handler.timeout}. */
    public int handlersLate() {
        return handlersLate;
    }

    /** What operators have paused, as this node last read it. */
    public int pauses() {
        return pauses;
    }

    /** The last sample; empty on nodes that do not sample, and if the last one is too old. */
    public Optional<Backlog> backlog() {
        return Optional.ofNullable(backlog);
    }

    /** What operators have changed by this action within the hour before the last sample. */
    public long operatorChanges(String action) {
        return operatorChanges.getOrDefault(action, 0L);
    }

    /** Called after each iteration of the loop. */
    public void iterated(int shards, boolean isStalled) {
        shardsHeld = shards;
        stalled = isStalled;
    }

    public void pauses(int count) {
        pauses = count;
    }

    public void handlersLate(int count) {
        handlersLate = count;
    }

    /** Sets the source of the number of running calls. */
    public void handlersRunning(IntSupplier source) {
        handlersRunning = source;
    }

    void backlog(Backlog sample) {
        backlog = sample;
    }

    void operatorChanges(Map<String, Long> byAction) {
        operatorChanges = byAction;
    }
}
