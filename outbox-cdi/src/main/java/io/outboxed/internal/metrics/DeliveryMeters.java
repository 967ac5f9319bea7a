package io.outboxed.internal.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;

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

    private final Map<AttemptResult, LongConsumer> outcomes = new EnumMap<>(AttemptResult.class);
    private final LongConsumer lag;
    private final LongConsumer succeeded;
    private final Map<String, LongConsumer> failed = new ConcurrentHashMap<>();
    private final Function<String, LongConsumer> timerOfFailure;

    DeliveryMeters(
            Function<AttemptResult, LongConsumer> counter,
            LongConsumer lag,
            LongConsumer succeeded,
            Function<String, LongConsumer> timerOfFailure) {
        for (AttemptResult outcome : AttemptResult.values()) {
            outcomes.put(outcome, counter.apply(outcome));
        }
        this.lag = lag;
        this.succeeded = succeeded;
        this.timerOfFailure = timerOfFailure;
    }

    public void ended(AttemptResult outcome) {
        outcomes.get(outcome).accept(1);
    }

    /** @param nanos from the commit of the message, or from its due time, until now */
    public void lag(long nanos) {
        lag.accept(nanos);
    }

    /** @param errorType empty if the call succeeded */
    public void processed(long nanos, Optional<String> errorType) {
        if (errorType.isEmpty()) {
            succeeded.accept(nanos);
        } else {
            failed.computeIfAbsent(errorType.get(), timerOfFailure).accept(nanos);
        }
    }
}
