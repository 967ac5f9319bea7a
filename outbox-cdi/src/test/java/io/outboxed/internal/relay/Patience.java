package io.outboxed.internal.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Once no fault is left, whatever can be called is called soon: no delivery waits for unrelated ones, and none is
 * stuck.
 */
final class Patience implements Actor {
    private static final long INTERVAL = Duration.ofMillis(300).toNanos();

    private final History history;
    private final Attempts attempts;
    private final Agenda agenda;
    private final long patience;
    /** Aggregates in which a call hangs. */
    private final Set<String> hung;

    private final Map<String, Long> lastCall = new HashMap<>();
    private long since = NEVER;
    private long nextCheck = NEVER;

    Patience(History history, Attempts attempts, Agenda agenda, Duration patience, Set<String> hung) {
        this.history = history;
        this.attempts = attempts;
        this.agenda = agenda;
        this.patience = patience.toNanos();
        this.hung = hung;
    }

    /** Checks from this time on. */
    void begin(long time) {
        since = time;
        nextCheck = time;
    }

    /** An event of this aggregate was committed, becomes due or is called. */
    void moved(String aggregate, long time) {
        lastCall.merge(aggregate, time, Math::max);
    }

    @Override
    public long dueAt() {
        return nextCheck;
    }

    @Override
    public void step() {
        long now = agenda.now();
        nextCheck = now + INTERVAL;
        for (ExpectedDelivery delivery : history.next()) {
            if (hung.contains(delivery.aggregate)) {
                continue;
            }
            long from = Math.max(since, lastCall.getOrDefault(delivery.aggregate, 0L));
            long waits = now - Math.max(from, attempts.dueAt(delivery.id, delivery.handler));
            if (waits > patience) {
                history.violation("stuck: " + delivery + " waits for " + waits / 1_000_000 + " ms");
                nextCheck = NEVER;
                return;
            }
        }
    }

    /** Whether something is left that could be called or is waiting until it is due. */
    boolean anyLeft() {
        return history.next().stream().anyMatch(delivery -> !hung.contains(delivery.aggregate));
    }
}
