package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A handler whose downstream is dead for minutes, and a healthy one of the same type, which is called after it. What
 * the first one throws is an ordinary exception, and its attempts would be used up in the first seconds of the outage.
 */
final class DeadDownstream {
    static final String BEFORE = "before";
    static final String OUTAGE = "outage";
    static final String AFTER = "after";

    static final String MAILS = "mails";
    static final String WORKS = "works";
    static final int TRIES = 5;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final OutboxConfig CONFIG =
            OutboxConfig.DEFAULTS.withRetry(new Retry(TRIES, Duration.ofSeconds(1), 2, Duration.ofSeconds(5), true));

    final CallLog log;
    final Map<String, FailureReports> reports = Map.of("A", new FailureReports(MAILS), "B", new FailureReports(MAILS));
    private final IsolationDatabase database;
    private final PacedLoad load;
    private final int seconds;
    private volatile boolean dead;
    private long died;
    private long back;
    private long attempts;
    private long left;

    /** @param seconds that the outage takes */
    DeadDownstream(IsolationDatabase database, CallLog log, PacedLoad load, int seconds) {
        this.database = database;
        this.log = log;
        this.load = load;
        this.seconds = seconds;
    }

    void run() throws Exception {
        try (IsolationNode a = node("A").withShards();
                IsolationNode b = node("B").withShards()) {
            load.publishAs(a, b);
            load.publish("warm-up", 10);
            load.publish(BEFORE, Math.min(60, seconds));
            died = System.nanoTime();
            dead = true;
            load.publish(OUTAGE, seconds);
            attempts = database.number(
                    "SELECT COALESCE(SUM(attempts), 0) AS n FROM outbox_delivery WHERE handler = '" + MAILS + "'");
            back = System.nanoTime();
            dead = false;
            drain();
            left = database.leftWithin(PATIENCE);
        }
    }

    private IsolationNode node(String name) {
        Map<String, Work> works = Map.of(MAILS, this::mail, WORKS, event -> {});
        return new IsolationNode(database, CONFIG, RecordedHandlers.ofOneType(name, log, works), reports.get(name));
    }

    private void mail(PublishedEvent event) {
        if (dead) {
            throw new IllegalStateException("connection refused");
        }
    }

    /** Events arrive until those of the outage are delivered, or for as long as it took. */
    private void drain() throws Exception {
        List<PublishedEvent> backlog = log.events(event -> event.phase().equals(OUTAGE));
        for (int second = 0; second < limit() && !log.of(MAILS).missed(backlog).isEmpty(); second++) {
            load.publish(AFTER, 1);
        }
    }

    int rate() {
        return load.rate();
    }

    int seconds() {
        return seconds;
    }

    /** How many seconds the backlog may take to drain. */
    int limit() {
        return Math.max(60, seconds);
    }

    /** When the outage began, by {@link System#nanoTime}. */
    long died() {
        return died;
    }

    /** When the downstream was there again, by {@link System#nanoTime}. */
    long back() {
        return back;
    }

    /** Those that were stored as used up, at the end of the outage. */
    long attempts() {
        return attempts;
    }

    /** Rows that were left at the end. */
    long left() {
        return left;
    }
}
