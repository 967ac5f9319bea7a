package io.outboxed.internal.relay.loop;

import io.outboxed.internal.log.FailureText;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.metrics.DeliveryMeters;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.failure.ConsecutiveOccurrences;
import io.outboxed.internal.relay.failure.DeferralPacing;
import io.outboxed.internal.relay.failure.FailurePolicy;
import io.outboxed.internal.relay.failure.FailureReport;
import io.outboxed.internal.relay.failure.HandlerCircuitBreakers;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Resolution;
import io.outboxed.spi.FailureClassifier;
import java.time.Duration;

/**
 * Decides what follows from the outcome of a call: the next handler, the end of the message, a retry, a dead letter.
 */
final class OutcomeProcessor {
    private static final Duration AFTER_UNCOUNTED_ATTEMPT = Duration.ofMillis(500);

    private final LoopState state;
    private final TurnRunner runner;
    private final HandlerInvoker invoker;
    private final HandlerCircuitBreakers circuits;
    private final FailurePolicy policy;
    private final DeferralPacing pacing;
    private final ConsecutiveOccurrences unknownOutcomes = new ConsecutiveOccurrences();
    private final ConsecutiveOccurrences missingTransactions = new ConsecutiveOccurrences();
    private final Notifications notifications;
    private final OutboxMeters meters;
    private final DatabaseClock databaseClock;

    OutcomeProcessor(
            LoopState state,
            TurnRunner runner,
            HandlerCircuitBreakers circuits,
            FailurePolicy policy,
            DeferralPacing pacing,
            RelayDependencies dependencies,
            DatabaseClock databaseClock) {
        this.state = state;
        this.runner = runner;
        this.invoker = dependencies.invoker();
        this.circuits = circuits;
        this.policy = policy;
        this.pacing = pacing;
        this.notifications = dependencies.notifications();
        this.meters = dependencies.meters();
        this.databaseClock = databaseClock;
    }

    void ended(Call call, Outcome outcome, long now) {
        Turn turn = Turn.of(call);
        runner.callEnded(turn);
        if (!state.lanes().isCurrent(turn)) {
            state.lanes().orphanEnded(turn).ifPresent(state::readAgain);
            measure(call, outcome);
            orphanEnded(turn, call, outcome);
        } else {
            measure(call, outcome);
            FailureClassifier.Verdict verdict = verdict(turn, call, outcome, now);
            turn.decision = () -> decide(turn, call, outcome, verdict);
            runner.decideFirst(turn.lane);
        }
    }

    /**
     * Tells the circuit what the outcome says about the receiver, as soon as the outcome arrives: the decision waits
     * until earlier outcomes of the lane are recorded.
     *
     * @return null unless it is to be decided as a failure
     */
    private FailureClassifier.Verdict verdict(Turn turn, Call call, Outcome outcome, long now) {
        if (outcome instanceof Outcome.Failed failed) {
            return counted(turn, call, failed.failure(), now);
        } else if (outcome instanceof Outcome.Lost lost) {
            return verdictOnUnclear(turn, call, lost.failure(), now);
        } else if (outcome instanceof Outcome.Unknown unknown) {
            return verdictOnUnclear(turn, call, unknown.failure(), now);
        } else if (outcome instanceof Outcome.Done done && done.acknowledged()) {
            receiverWorks(call);
        }
        return null;
    }

    private FailureClassifier.Verdict verdictOnUnclear(Turn turn, Call call, Throwable failure, long now) {
        if (unknownOutcomes.tolerate(turn.head.id(), call.handler())) {
            return null;
        }
        // outside a transaction, an error of the relay or a failover ends so, which says nothing about the receiver
        return invoker.mode(call.delivery().key()).isOutside()
                ? invoker.classify(call.delivery(), failure)
                : counted(turn, call, failure, now);
    }

    /** Counts a failure for the circuit, if it is the receiver's. */
    private FailureClassifier.Verdict counted(Turn turn, Call call, Throwable failure, long now) {
        FailureClassifier.Verdict verdict = invoker.classify(call.delivery(), failure);
        String circuit = invoker.circuit(turn.head, call.handler());
        if (isOfTheReceiver(turn, call.handler(), verdict) && circuits.failed(circuit, turn.lane.key, now)) {
            OutboxLog.handlerIsDown(circuit, failure);
        }
        return verdict;
    }

    /** @param verdict null unless it is to be decided as a failure */
    private void decide(Turn turn, Call call, Outcome outcome, FailureClassifier.Verdict verdict) {
        if (outcome instanceof Outcome.Done done) {
            succeeded(turn, call, done);
        } else if (outcome instanceof Outcome.Failed failed) {
            failed(turn, call, failed.failure(), verdict);
        } else if (outcome instanceof Outcome.Lost lost) {
            withholdOthers(turn, call);
            unclear(turn, call, lost.failure(), verdict);
        } else if (outcome instanceof Outcome.Unknown unknown) {
            if (verdict == null) {
                metersOf(call.delivery()).ended(DeliveryMeters.AttemptResult.UNKNOWN);
            }
            unclear(turn, call, unknown.failure(), verdict);
        } else if (outcome instanceof Outcome.NoTransaction none) {
            OutboxLog.noTransaction(turn.head, turn.body, call.handler(), none.failure());
            metersOf(call.delivery()).ended(DeliveryMeters.AttemptResult.UNKNOWN);
            noTransaction(turn, call.handler());
        } else if (outcome instanceof Outcome.NotReached) {
            state.lanes().putBack(turn);
            runner.decideFirst(turn.lane);
        } else {
            runner.revertUnbegun(turn);
        }
    }

    /**
     * Outside a transaction, a success is lost because the row lacks an earlier one: it would not take those of the
     * others either, and all of them are called again.
     */
    private void withholdOthers(Turn turn, Call call) {
        if (invoker.mode(call.delivery().key()).isOutside()) {
            turn.remaining.remove(call.handler());
            runner.withholdRemaining(turn);
        }
    }

    /** These are facts, whichever node holds the shard now. */
    private void measure(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Done) {
            DeliveryMeters meter = metersOf(call.delivery());
            meter.ended(DeliveryMeters.AttemptResult.SUCCESS);
            databaseClock.since(call.delivery().body().dueAt()).ifPresent(meter::lag);
        } else if (outcome instanceof Outcome.Lost) {
            meters.staleWrite();
        }
    }

    /** Nothing is decided here: whoever has the shard now makes the same attempt again. */
    private void orphanEnded(Turn turn, Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            Throwable failure = failed.failure();
            Resolution again = new Resolution.Retry(
                    call.handler(), turn.group(call.handler()), turn.attemptsSoFar(), describe(failure), 0);
            tell(turn, call, failure, invoker.classify(call.delivery(), failure), again);
        } else if (outcome instanceof Outcome.Unknown || outcome instanceof Outcome.NoTransaction) {
            metersOf(call.delivery()).ended(DeliveryMeters.AttemptResult.UNKNOWN);
        }
    }

    private DeliveryMeters metersOf(Delivery delivery) {
        return meters.deliveries(delivery.head().type(), delivery.handler());
    }

    /**
     * After a lost claim or a failed commit only the row shows the outcome. Unless it shows a success, there is another
     * attempt. This one does not count; if it was counted before the call, the count is reverted.
     *
     * @param verdict null unless it was so too often: then it is decided like a failure
     */
    private void unclear(Turn turn, Call call, Throwable failure, FailureClassifier.Verdict verdict) {
        if (verdict != null) {
            failed(turn, call, failure, verdict);
            return;
        }
        OutboxLog.endUnknown(turn.head, turn.body, call.handler(), failure);
        uncounted(turn, call.handler(), "its success is unknown or could not be recorded", AFTER_UNCOUNTED_ATTEMPT);
    }

    /** An exhausted pool concerns all aggregates, and lasts: from the third time on, they come one after the other. */
    private void noTransaction(Turn turn, String handler) {
        boolean isNew = missingTransactions.tolerate(turn.head.id(), handler);
        Duration delay = isNew ? AFTER_UNCOUNTED_ATTEMPT : Duration.ofNanos(pacing.delayMicros(handler) * 1000);
        uncounted(turn, handler, "its transaction could not begin, or could not claim its row", delay);
    }

    private void uncounted(Turn turn, String handler, String why, Duration delay) {
        resolved(
                turn,
                new Resolution.Retry(handler, turn.group(handler), turn.attemptsSoFar(), why, delay.toNanos() / 1000));
    }

    private void resolved(Turn turn, Resolution resolution) {
        turn.remaining.remove(resolution.handler());
        turn.resolutions.add(resolution);
        turn.failed = true;
        runner.next(turn);
    }

    /**
     * Told when a handler succeeds, not when its success is recorded: meanwhile others fail, and a receiver that works
     * for some events would count as down.
     */
    void receiverWorks(Call call) {
        String circuit = invoker.circuit(call.delivery().head(), call.handler());
        if (circuits.succeeded(circuit)) {
            pacing.forget(call.handler());
            OutboxLog.handlerRecovered(circuit);
        }
    }

    private void succeeded(Turn turn, Call call, Outcome.Done done) {
        unknownOutcomes.forget(turn.head.id(), call.handler());
        missingTransactions.forget(turn.head.id(), call.handler());
        turn.remaining.pollFirst();
        turn.head = turn.head.answered(turn.head.version() + (done.acknowledged() ? 2 : 1));
        if (call.delivery().ackMode() == AckMode.ADD_DONE_ROW) {
            runner.next(turn);
        } else {
            runner.finish(turn, true);
        }
    }

    private void failed(Turn turn, Call call, Throwable failure, FailureClassifier.Verdict verdict) {
        String handler = call.handler();
        Resolution resolution = resolution(turn, handler, verdict, failure);
        tell(turn, call, failure, verdict, resolution);
        missingTransactions.forget(turn.head.id(), handler);
        if (resolution.attempts() > turn.attemptsSoFar()) {
            unknownOutcomes.forget(turn.head.id(), handler);
        }
        resolved(turn, resolution);
    }

    private void tell(
            Turn turn, Call call, Throwable failure, FailureClassifier.Verdict verdict, Resolution resolution) {
        OutboxLog.deliveryFailed(
                notifications.logExecutor(),
                turn.head,
                turn.body,
                call.delivery().attempt(),
                resolution,
                failure);
        measure(call, resolution);
        notifications.attemptFailed(() -> FailureReport.of(call.delivery(), failure, verdict, resolution));
    }

    /** A dead letter is counted when it is stored. */
    private void measure(Call call, Resolution resolution) {
        if (resolution instanceof Resolution.Retry retry) {
            boolean counts = retry.attempts() == call.delivery().attempt();
            metersOf(call.delivery())
                    .ended(counts ? DeliveryMeters.AttemptResult.RETRY : DeliveryMeters.AttemptResult.DEFERRED);
        }
    }

    private Resolution resolution(Turn turn, String handler, FailureClassifier.Verdict verdict, Throwable failure) {
        FailurePolicy.Failure failed = new FailurePolicy.Failure(
                turn.head.type(), handler, turn.group(handler), turn.attemptsSoFar(), describe(failure));
        return policy.resolve(failed, verdict, circuits.isDown(invoker.circuit(turn.head, handler)));
    }

    /** A forwarder has one receiver for all events of a circuit: if it defers one, the receiver takes none of them. */
    private boolean isOfTheReceiver(Turn turn, String handler, FailureClassifier.Verdict verdict) {
        return switch (verdict) {
            case RETRY -> true;
            case DEFER ->
                invoker.mode(new HandlerKey(turn.head.type(), handler)).isForwarder();
            case DEAD -> false;
        };
    }

    private static String describe(Throwable failure) {
        String message = FailureText.message(failure);
        return failure.getClass().getName() + (message == null ? "" : ": " + message);
    }
}
