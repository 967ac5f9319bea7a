package io.outboxed.internal.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** What is measured about one handler of one event type; its series are there, at 0, before the first delivery. */
public final class DeliveryMeters {

    /** How a try ended. */
    public enum Outcome {
        SUCCESS,
        /** Failed, and will be tried again. */
        RETRY,
        /** Could not be made now; the try does not count. */
        DEFERRED,
        /** The dead letter is stored. */
        DEAD,
        /** The outcome of the commit is unknown: the database is asked. */
        UNKNOWN
    }

    private final Map<Outcome, MetricsBackend.Count> outcomes = new EnumMap<>(Outcome.class);
    private final MetricsBackend.Time lag;
    private final MetricsBackend.Time succeeded;
    private final Map<String, MetricsBackend.Time> failed = new ConcurrentHashMap<>();
    private final Function<String, MetricsBackend.Time> timeOfFailure;

    DeliveryMeters(
            Function<Outcome, MetricsBackend.Count> count,
            MetricsBackend.Time lag,
            MetricsBackend.Time succeeded,
            Function<String, MetricsBackend.Time> timeOfFailure) {
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, count.apply(outcome));
        }
        this.lag = lag;
        this.succeeded = succeeded;
        this.timeOfFailure = timeOfFailure;
    }

    public void ended(Outcome outcome) {
        outcomes.get(outcome).add(1);
    }

    /** @param nanos from the commit of the message, or from when it was due, to now */
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
