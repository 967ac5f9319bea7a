package io.outboxed.internal.metrics;

import io.outboxed.internal.metrics.Metric.Label;
import io.outboxed.internal.store.Backlog;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of capture and relay. Thread-safe, and cheap for every message: looking up the series of a type or
 * handler creates no object. If there are more event types, handlers or error types than {@link #MAX}, the rest is
 * counted as {@link #OTHER}.
 */
public final class OutboxMeters {
    static final int MAX = 200;
    static final String OTHER = "other";
    private static final String NO_ERROR = "none";

    private final SafeBackend backend;
    private final RelayReadings readings = new RelayReadings();
    private final LongConsumer poll;
    private final LongConsumer leaseExpired;
    private final LongConsumer shardsLost;
    private final LongConsumer staleWrites;
    private final LongConsumer outOfOrder;
    private final Map<String, LongConsumer> stored = new ConcurrentHashMap<>();
    private final Map<String, LongConsumer> discarded = new ConcurrentHashMap<>();
    private final Map<String, Map<String, DeliveryMeters>> deliveries = new ConcurrentHashMap<>();
    private final AtomicInteger types = new AtomicInteger();
    private final AtomicInteger pairs = new AtomicInteger();
    private final Set<String> errors = new HashSet<>();
    private List<Runnable> removalsOfStalled = List.of();
    private List<Runnable> removalsOfNode = List.of();
    private List<Runnable> removalsOfBacklog = List.of();
    private final Map<String, Runnable> removalsOfOperators = new HashMap<>();
    private final Map<String, Runnable> removalsOfMaintenance = new HashMap<>();

    /**
     * @param application the label of every series
     * @param relays whether this node is to have a relay; otherwise an alert would miss it
     */
    public OutboxMeters(MetricsBackend backend, String application, boolean relays) {
        this.backend = new SafeBackend(backend, application);
        MetricsBackend ofRelay = relays ? this.backend : MetricsBackend.NONE;
        this.poll = ofRelay.timer(Metric.POLL, Map.of());
        this.leaseExpired = ofRelay.counter(Metric.LEASE_EXPIRED, Map.of());
        this.shardsLost = ofRelay.counter(Metric.SHARDS_LOST, Map.of());
        this.staleWrites = ofRelay.counter(Metric.STALE_WRITES, Map.of());
        this.outOfOrder = ofRelay.counter(Metric.OUT_OF_ORDER, Map.of());
        if (relays) {
            showStalled();
        }
    }

    /** Keeps its readings but exports nothing. */
    public static OutboxMeters none() {
        return new OutboxMeters(MetricsBackend.NONE, "", false);
    }

    /** The metrics API in use, by its name in {@code outbox.metrics}. */
    public String api() {
        return backend.api();
    }

    /** Whether what is only counted for the metrics is worth counting. */
    public boolean exports() {
        return backend.exports();
    }

    // ---- capture ----

    /** The transaction of a message has committed. */
    public void stored(String type) {
        counterOf(type).accept(1);
    }

    /** The application may invent types without end: those beyond the most that are shown share one entry. */
    private LongConsumer counterOf(String type) {
        LongConsumer counter = stored.get(type);
        return counter != null ? counter : stored.computeIfAbsent(types.get() < MAX ? type : OTHER, this::newCounterOf);
    }

    private LongConsumer newCounterOf(String type) {
        String shown = types.getAndIncrement() < MAX ? type : OTHER;
        return backend.counter(Metric.STORED, Map.of(Label.TYPE, shown));
    }

    // ---- relay ----

    /** Creates the series of a pair on first use; to export them with value 0, call this before the first delivery. */
    public DeliveryMeters deliveries(String type, String handler) {
        Map<String, DeliveryMeters> ofType = deliveries.get(type);
        DeliveryMeters meters = ofType == null ? null : ofType.get(handler);
        if (meters != null) {
            return meters;
        }
        boolean room = pairs.get() < MAX;
        return deliveries
                .computeIfAbsent(room ? type : OTHER, key -> new ConcurrentHashMap<>())
                .computeIfAbsent(room ? handler : OTHER, key -> metersOf(type, handler));
    }

    private DeliveryMeters metersOf(String type, String handler) {
        counterOf(type);
        boolean room = pairs.getAndIncrement() < MAX;
        Map<Label, String> labels = Map.of(Label.TYPE, room ? type : OTHER, Label.HANDLER, room ? handler : OTHER);
        return new DeliveryMeters(
                outcome -> backend.counter(
                        Metric.DELIVERIES,
                        and(labels, Label.OUTCOME, outcome.name().toLowerCase(Locale.ROOT))),
                backend.timer(Metric.LAG, labels),
                backend.timer(Metric.PROCESSING, and(labels, Label.ERROR, NO_ERROR)),
                error -> backend.timer(Metric.PROCESSING, and(labels, Label.ERROR, shownError(error))));
    }

    private String shownError(String error) {
        synchronized (errors) {
            boolean isShown = errors.contains(error) || errors.size() < MAX && errors.add(error);
            return isShown ? error : OTHER;
        }
    }

    /** One poll for new messages has ended. */
    public void polled(long nanos) {
        poll.accept(nanos);
    }

    /** The node's lease lapsed by its own clock, or others have declared it dead. */
    public void leaseExpired() {
        leaseExpired.accept(1);
    }

    public void shardLost() {
        shardsLost.accept(1);
    }

    /** A write had no effect because another node or another attempt had changed the row or the shard first. */
    public void staleWrite() {
        staleWrites.accept(1);
    }

    /** A message became visible after a later one of its aggregate. */
    public void outOfOrder() {
        outOfOrder.accept(1);
    }

    /** The application, an operator or a bulk operation has discarded a dead letter of this handler. */
    public void discarded(String handler) {
        discarded
                .computeIfAbsent(
                        handler,
                        key -> backend.counter(
                                Metric.DISCARDED, Map.of(Label.HANDLER, discarded.size() < MAX ? key : OTHER)))
                .accept(1);
    }

    // ---- readings ----

    /** What the gauges show of the relay on this node. */
    public RelayReadings readings() {
        return readings;
    }

    /** Also while the relay can't start. Counters don't tell: a registry may keep them after the application's end. */
    private void showStalled() {
        if (removalsOfStalled.isEmpty()) {
            removalsOfStalled = List.of(backend.gauge(Metric.STALLED, Map.of(), () -> readings.stalled() ? 1 : 0));
        }
    }

    /** The relay of this node starts; its readings are exported from now on. */
    public synchronized void showNode() {
        showStalled();
        if (removalsOfNode.isEmpty()) {
            removalsOfNode = List.of(
                    backend.gauge(Metric.SHARDS_HELD, Map.of(), readings::shardsHeld),
                    backend.gauge(Metric.HANDLERS_RUNNING, Map.of(), readings::handlersRunning),
                    backend.gauge(Metric.HANDLERS_LATE, Map.of(), readings::handlersLate),
                    backend.gauge(Metric.OPERATOR_PAUSES, Map.of(), readings::pauses));
        }
    }

    /**
     * This node has counted the backlog; the figures are exported until they are hidden.
     *
     * @param operatorChanges by action
     */
    public synchronized void backlog(Backlog sample, Map<String, Long> operatorChanges) {
        readings.backlog(sample);
        readings.operatorChanges(operatorChanges);
        operatorChanges.keySet().forEach(this::showChanges);
        if (removalsOfBacklog.isEmpty()) {
            List<Runnable> removals = new ArrayList<>();
            for (Backlog.State state : Backlog.State.values()) {
                String word = state.name().toLowerCase(Locale.ROOT);
                removals.add(backend.gauge(
                        Metric.BACKLOG, Map.of(Label.STATE, word), () -> ofSample(each -> each.count(state))));
            }
            removals.add(
                    backend.gauge(Metric.BLOCKED_AGGREGATES, Map.of(), () -> ofSample(Backlog::blockedAggregates)));
            removals.add(backend.gauge(
                    Metric.OLDEST_AGE,
                    Map.of(),
                    () -> ofSample(each -> each.oldestAge().toMillis() / 1000.0)));
            removalsOfBacklog = List.copyOf(removals);
        }
    }

    private void showChanges(String action) {
        removalsOfOperators.computeIfAbsent(
                action,
                key -> backend.gauge(
                        Metric.OPERATOR_CHANGES, Map.of(Label.ACTION, key), () -> readings.operatorChanges(key)));
    }

    /**
     * Another node samples now, or the sample is too old: the series are removed here, so that sums over nodes are
     * right.
     */
    public synchronized void hideBacklog() {
        removalsOfBacklog.forEach(Runnable::run);
        removalsOfBacklog = List.of();
        removalsOfOperators.values().forEach(Runnable::run);
        removalsOfOperators.clear();
        readings.backlog(null);
    }

    /** The relay of this node has stopped, or the application ends. */
    public synchronized void hideNode() {
        removalsOfStalled.forEach(Runnable::run);
        removalsOfStalled = List.of();
        removalsOfNode.forEach(Runnable::run);
        removalsOfNode = List.of();
    }

    // ---- maintenance ----

    /** Old rows of a table were deleted. With 0 rows it only creates the series. */
    public void cleaned(String table, long rows) {
        backend.counter(Metric.CLEANED_ROWS, Map.of(Label.TABLE, table)).accept(rows);
    }

    /** A run of this task failed or was postponed. With 0 runs it only creates the series. */
    public void maintenanceFailed(String task, int runs) {
        backend.counter(Metric.MAINTENANCE_FAILURES, Map.of(Label.TASK, task)).accept(runs);
    }

    /**
     * This node runs the task; the age is exported until it is hidden.
     *
     * @param seconds since it was last complete
     */
    public synchronized void showMaintenance(String task, DoubleSupplier seconds) {
        removalsOfMaintenance.computeIfAbsent(
                task, key -> backend.gauge(Metric.MAINTENANCE_AGE, Map.of(Label.TASK, key), seconds));
    }

    /** Another node runs the tasks now, or the application ends. */
    public synchronized void hideMaintenance() {
        removalsOfMaintenance.values().forEach(Runnable::run);
        removalsOfMaintenance.clear();
    }

    private double ofSample(ToDoubleFunction<Backlog> figure) {
        return readings.backlog().map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private static Map<Label, String> and(Map<Label, String> labels, Label label, String value) {
        Map<Label, String> all = new EnumMap<>(labels);
        all.put(label, value);
        return all;
    }
}
