package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.Map;

/** One node gets a burst for a handler that takes a second for each event, while events of another type arrive. */
final class SlowBurst {
    private static final String BILLED = "billed";
    private static final String SLOW = "slow";
    private static final String WORKS = "works";
    private static final String BEFORE = "before";
    private static final String BURST = "burst";
    private static final String FIRST = "first";
    private static final String LATER = "later";

    private static final int EVENTS = 10_000;
    private static final Duration EACH = Duration.ofMillis(Integer.getInteger("isolation.each", 1_000));
    /** In which the node notices. */
    private static final int FIRST_SECONDS = 15;

    private static final int WORKERS = OutboxConfig.Relay.DEFAULTS.workers();

    private final IsolationDatabase database;
    private final CallLog log;
    private final PacedLoad load;
    private final int seconds;

    /** @param seconds for which events arrive after the first ones */
    SlowBurst(IsolationDatabase database, CallLog log, PacedLoad load, int seconds) {
        this.database = database;
        this.log = log;
        this.load = load;
        this.seconds = seconds;
    }

    void run() throws Exception {
        Map<HandlerKey, Work> works = Map.of(
                new HandlerKey(BILLED, SLOW), event -> Troubles.take(EACH.toNanos()),
                new HandlerKey(RecordedHandlers.TYPE, WORKS), event -> {});
        try (IsolationNode node = new IsolationNode(
                        database, OutboxConfig.DEFAULTS, new RecordedHandlers("A", log, works), new Notifications() {})
                .withShards()) {
            load.publishAs(node);
            load.publish("warm-up", 10);
            load.publish(BEFORE, 20);
            load.burst(BURST, BILLED, EVENTS);
            load.publish(FIRST, FIRST_SECONDS);
            load.publish(LATER, seconds);
            Await.until("the other events are called", () -> missed() == 0);
        }
    }

    Figures figures() {
        Figures figures = new Figures(
                "a burst of " + EVENTS + " events that take " + EACH.toMillis() + " ms each, with " + WORKERS / 2
                        + " workers",
                database);
        HandlerCalls others = log.of(WORKS);
        Latencies before = others.latencies(event -> event.phase().equals(BEFORE));
        figures.show("latency of another type before: p50, p99, longest", before);
        figures.longestAtMost(
                "... in the first " + FIRST_SECONDS + " s",
                others.latencies(event -> event.phase().equals(FIRST)),
                FIRST_SECONDS * 1e3);
        figures.p99AtMost(
                "... in the " + seconds + " s after these",
                others.latencies(event -> event.phase().equals(LATER)),
                Math.max(3 * before.p99(), 250));
        figures.none("events of the other type that were not delivered", missed());
        figures.none(
                "calls of either that were repeated",
                others.repeated() + log.of(SLOW).repeated());
        long most = WORKERS / 2 * Duration.ofSeconds(FIRST_SECONDS + seconds).dividedBy(EACH);
        figures.show(
                "calls of the slow handler, and how many its workers could make",
                log.of(SLOW).stream().count() + " of " + most);
        return figures;
    }

    private long missed() {
        return log.of(WORKS)
                .missed(log.events(event -> !event.phase().equals(BURST)))
                .size();
    }
}
