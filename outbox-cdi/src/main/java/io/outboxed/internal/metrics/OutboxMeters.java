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
    private final MetricsBackend.Time poll;
    private final MetricsBackend.Count leaseExpired;
    private final MetricsBackend.Count shardsLost;
    private final MetricsBackend.Count staleWrites;
    private final MetricsBackend.Count outOfOrder;
    private final Map<String, MetricsBackend.Count> stored = new ConcurrentHashMap<>();
    private final Map<String, MetricsBackend.Count> discarded = new ConcurrentHashMap<>();
    private final Map<String, Map<String, DeliveryMeters>> deliveries = new ConcurrentHashMap<>();
    private final AtomicInteger types = new AtomicInteger();
    private final AtomicInteger pairs = new AtomicInteger();
    private final Set<String> errors = new HashSet<>();
    private List<MetricsBackend.Shown> ofNode = List.of();
    private List<MetricsBackend.Shown> ofBacklog = List.of();
    private final Map<String, MetricsBackend.Shown> ofOperators = new HashMap<>();
    private final Map<String, MetricsBackend.Shown> ofMaintenance = new HashMap<>();

    /**
     * @param application the label of every series
     * @param relays whether this node is to have a relay; otherwise an alert would miss it
     */
    public OutboxMeters(MetricsBackend backend, String application, boolean relays) {
        this.backend = new SafeBackend(backend, application);
        MetricsBackend ofRelay = relays ? this.backend : MetricsBackend.NONE;
        this.poll = ofRelay.time(Metric.POLL, Map.of());
        this.leaseExpired = ofRelay.count(Metric.LEASE_EXPIRED, Map.of());
        this.shardsLost = ofRelay.count(Metric.SHARDS_LOST, Map.of());
        this.staleWrites = ofRelay.count(Metric.STALE_WRITES, Map.of());
        this.outOfOrder = ofRelay.count(Metric.OUT_OF_ORDER, Map.of());
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
        countOf(type).add(1);
    }

    /** The application may invent types without end: those beyond the most that are shown share one entry. */
    private MetricsBackend.Count countOf(String type) {
        MetricsBackend.Count count = stored.get(type);
        return count != null ? count : stored.computeIfAbsent(types.get() < MAX ? type : OTHER, this::countOfType);
    }

    private MetricsBackend.Count countOfType(String type) {
        String shown = types.getAndIncrement() < MAX ? type : OTHER;
        return backend.count(Metric.STORED, Map.of(Label.TYPE, shown));
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
        countOf(type);
        boolean room = pairs.getAndIncrement() < MAX;
        Map<Label, String> labels = Map.of(Label.TYPE, room ? type : OTHER, Label.HANDLER, room ? handler : OTHER);
        return new DeliveryMeters(
                outcome -> backend.count(
                        Metric.DELIVERIES,
                        and(labels, Label.OUTCOME, outcome.name().toLowerCase(Locale.ROOT))),
                backend.time(Metric.LAG, labels),
                backend.time(Metric.PROCESSING, and(labels, Label.ERROR, NO_ERROR)),
                error -> backend.time(Metric.PROCESSING, and(labels, Label.ERROR, shownError(error))));
    }

    private String shownError(String error) {
        synchronized (errors) {
            boolean isShown = errors.contains(error) || errors.size() < MAX && errors.add(error);
            return isShown ? error : OTHER;
        }
    }

    /** One poll for new messages has ended. */
    public void polled(long nanos) {
        poll.record(nanos);
    }

    /** The node's lease lapsed by its own clock, or others have declared it dead. */
    public void leaseExpired() {
        leaseExpired.add(1);
    }

    public void shardLost() {
        shardsLost.add(1);
    }

    /** A write had no effect because another node or another attempt had changed the row or the shard first. */
    public void staleWrite() {
        staleWrites.add(1);
    }

    /** A message became visible after a later one of its aggregate. */
    public void outOfOrder() {
        outOfOrder.add(1);
    }

    /** The application, an operator or a bulk operation has discarded a dead letter of this handler. */
    public void discarded(String handler) {
        discarded
                .computeIfAbsent(
                        handler,
                        key -> backend.count(
                                Metric.DISCARDED, Map.of(Label.HANDLER, discarded.size() < MAX ? key : OTHER)))
                .add(1);
    }

    // ---- readings ----

    /** What the gauges show of the relay on this node. */
    public RelayReadings readings() {
        return readings;
    }

    /** The relay of this node starts; its readings are exported from now on. */
    public synchronized void showNode() {
        if (ofNode.isEmpty()) {
            ofNode = List.of(
                    backend.show(Metric.SHARDS_HELD, Map.of(), readings::shardsHeld),
                    backend.show(Metric.HANDLERS_RUNNING, Map.of(), readings::handlersRunning),
                    backend.show(Metric.HANDLERS_LATE, Map.of(), readings::handlersLate),
                    backend.show(Metric.STALLED, Map.of(), () -> readings.stalled() ? 1 : 0),
                    backend.show(Metric.OPERATOR_PAUSES, Map.of(), readings::pauses));
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
        if (ofBacklog.isEmpty()) {
            List<MetricsBackend.Shown> shown = new ArrayList<>();
            for (Backlog.State state : Backlog.State.values()) {
                String word = state.name().toLowerCase(Locale.ROOT);
                shown.add(backend.show(
                        Metric.BACKLOG, Map.of(Label.STATE, word), () -> ofSample(each -> each.count(state))));
            }
            shown.add(backend.show(Metric.BLOCKED_AGGREGATES, Map.of(), () -> ofSample(Backlog::blockedAggregates)));
            shown.add(backend.show(
                    Metric.OLDEST_AGE,
                    Map.of(),
                    () -> ofSample(each -> each.oldestAge().toMillis() / 1000.0)));
            ofBacklog = List.copyOf(shown);
        }
    }

    private void showChanges(String action) {
        ofOperators.computeIfAbsent(
                action,
                key -> backend.show(
                        Metric.OPERATOR_CHANGES, Map.of(Label.ACTION, key), () -> readings.operatorChanges(key)));
    }

    /**
     * Another node samples now, or the sample is too old: the series are removed here, so that sums over nodes are
     * right.
     */
    public synchronized void hideBacklog() {
        ofBacklog.forEach(MetricsBackend.Shown::hide);
        ofBacklog = List.of();
        ofOperators.values().forEach(MetricsBackend.Shown::hide);
        ofOperators.clear();
        readings.backlog(null);
    }

    /** The relay of this node has stopped. */
    public synchronized void hideNode() {
        ofNode.forEach(MetricsBackend.Shown::hide);
        ofNode = List.of();
    }

    // ---- maintenance ----

    /** Old rows of a table were deleted. With 0 rows it only creates the series. */
    public void cleaned(String table, long rows) {
        backend.count(Metric.CLEANED_ROWS, Map.of(Label.TABLE, table)).add(rows);
    }

    /** A run of this task failed or was postponed. With 0 runs it only creates the series. */
    public void maintenanceFailed(String task, int runs) {
        backend.count(Metric.MAINTENANCE_FAILURES, Map.of(Label.TASK, task)).add(runs);
    }

    /**
     * This node runs the task; the age is exported until it is hidden.
     *
     * @param seconds since it was last complete
     */
    public synchronized void showMaintenance(String task, DoubleSupplier seconds) {
        ofMaintenance.computeIfAbsent(
                task, key -> backend.show(Metric.MAINTENANCE_AGE, Map.of(Label.TASK, key), seconds));
    }

    /** Another node runs the tasks now. */
    public synchronized void hideMaintenance() {
        ofMaintenance.values().forEach(MetricsBackend.Shown::hide);
        ofMaintenance.clear();
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
