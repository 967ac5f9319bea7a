package io.outboxed.internal.metrics;

import io.outboxed.internal.store.Backlog;
import java.util.Optional;
import java.util.function.IntSupplier;

/** What the gauges show of this node's relay. After a failed turn it holds no leases here; probes ask {@code RelayStatus}. */
public final class RelayReadings {
    private volatile int leasesHeld;
    private volatile boolean paused = true;
    private volatile IntSupplier handlersRunning = () -> 0;
    private volatile int handlersLate;
    private volatile Backlog backlog;

    /** Shards that this node relays. */
    public int leasesHeld() {
        return leasesHeld;
    }

    /** Whether it starts nothing: before its first turn, without database or lease, and while it stops. */
    public boolean paused() {
        return paused;
    }

    /** Calls of handlers that run now. */
    public int handlersRunning() {
        return handlersRunning.getAsInt();
    }

    /** Calls that are past {@code outbox.handler.timeout}. */
    public int handlersLate() {
        return handlersLate;
    }

    /** The last sample; empty on nodes that do not sample, and where the last one is too old. */
    public Optional<Backlog> backlog() {
        return Optional.ofNullable(backlog);
    }

    /** After each turn of the relay. */
    public void turned(int leases, boolean isPaused) {
        leasesHeld = leases;
        paused = isPaused;
    }

    public void handlersLate(int count) {
        handlersLate = count;
    }

    /** Where the number of running calls is to be had. */
    public void handlersRunning(IntSupplier source) {
        handlersRunning = source;
    }

    void backlog(Backlog sample) {
        backlog = sample;
    }
}
