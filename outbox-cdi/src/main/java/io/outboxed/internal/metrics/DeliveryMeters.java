package io.outboxed.internal.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The metrics of one handler of one event type. Its series exist, with value 0, before the first delivery. */
public final class DeliveryMeters {

    /** How an attempt ended. */
    public enum AttemptResult {
        SUCCESS,
        /** Failed, and will be retried. */
        RETRY,
        /** Could not run now; the attempt does not count. */
        DEFERRED,
        /** The dead letter is stored. */
        DEAD,
        /** The outcome of the commit is unknown: the database is asked. */
        UNKNOWN
    }

    private final Map<AttemptResult, MetricsBackend.Count> outcomes = new EnumMap<>(AttemptResult.class);
    private final MetricsBackend.Time lag;
    private final MetricsBackend.Time succeeded;
    private final Map<String, MetricsBackend.Time> failed = new ConcurrentHashMap<>();
    private final Function<String, MetricsBackend.Time> timeOfFailure;

    DeliveryMeters(
            Function<AttemptResult, MetricsBackend.Count> count,
            MetricsBackend.Time lag,
            MetricsBackend.Time succeeded,
            Function<String, MetricsBackend.Time> timeOfFailure) {
        for (AttemptResult outcome : AttemptResult.values()) {
            outcomes.put(outcome, count.apply(outcome));
        }
        this.lag = lag;
        this.succeeded = succeeded;
        this.timeOfFailure = timeOfFailure;
    }

    public void ended(AttemptResult outcome) {
        outcomes.get(outcome).add(1);
    }

    /** @param nanos from the commit of the message, or from its due time, until now */
    public void lag(long nanos) {
        lag.record(nanos);
    }

    /** @param errorType empty if the call succeeded */
    public void processed(long nanos, Optional<String> errorType) {
        if (errorType.isEmpty()) {
            succeeded.record(nanos);
        } else {
            failed.computeIfAbsent(errorType.get(), timeOfFailure).record(nanos);
        }
    }
}
