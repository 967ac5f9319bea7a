package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.observe.DeliveryMeters;
import io.outboxed.internal.observe.OutboxLog;
import io.outboxed.internal.observe.OutboxMeters;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.Settlement;
import io.outboxed.internal.store.Verdict;
import io.outboxed.internal.store.WaitingLane;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/** What follows from each outcome: the next handler, the end of the message, a retry, a dead letter. Owned by the loop. */
final class Results {
    /**
     * A transaction that ends so often in a row without telling how, or with its mark on the row lost, while the row is still
     * there, has failed: its commit is refused, or its handler hides a rollback.
     */
    private static final int UNCLEAR_ENDS = 3;

    private static final int MOST_UNCLEAR = 10_000;
    private static final Duration AFTER_UNCLEAR_END = Duration.ofMillis(500);

    private final Memory memory;
    private final Deliveries deliveries;
    private final CallQueue calls;
    private final HandlerHealth health;
    private final Plan plan;
    private final Waits waits;
    private final OutboxConfig config;
    private final DoubleSupplier random;
    private final Executor tell;
    private final OutboxMeters meters;
    private final DatabaseClock databaseClock;
    private final Map<UUID, Integer> unclearEnds = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Integer> eldest) {
            return size() > MOST_UNCLEAR;
        }
    };

    private long bytes;

    Results(
            Memory memory,
            CallQueue calls,
            HandlerHealth health,
            Plan plan,
            Waits waits,
            RelayParts parts,
            DatabaseClock databaseClock) {
        this.memory = memory;
        this.deliveries = parts.deliveries();
        this.calls = calls;
        this.health = health;
        this.plan = plan;
        this.waits = waits;
        this.config = parts.config();
        this.random = parts.random();
        this.tell = parts.tell();
        this.meters = parts.meters();
        this.databaseClock = databaseClock;
    }

    /** Bytes of the bodies in memory. */
    long bytes() {
        return bytes;
    }

    /** Calls the run's next handler, and then that of its followers, or ends the message's turn. */
    void next(Run run) {
        if (run.open.isEmpty()) {
            judge(run);
            return;
        }
        Call call = null;
        for (int i = run.followers.size() - 1; i >= 0; i--) {
            call = call(run.followers.get(i), call);
        }
        calls.add(call(run, call));
    }

    private Call call(Run run, Call next) {
        if (!run.calling) {
            bytes += run.head.size();
        }
        run.calling = true;
        return new Call(run, run.delivery(), run.lease, next);
    }

    void ended(Call call, Outcome outcome, long now) {
        Run run = call.run();
        bytes -= run.head.size();
        run.calling = false;
        measure(call, outcome);
        if (!memory.lanes().isCurrent(run)) {
            memory.lanes().orphanEnded(run).ifPresent(memory::readAgain);
        } else {
            run.ended = new Run.Ended(call, outcome, now);
            takeFirst(run.lane);
        }
    }

    /**
     * In the lane's order: a failure is decided when the successes before it are recorded. Else, after a crash, an event
     * could come again that stands before a decided one.
     */
    private void takeFirst(Lane lane) {
        Run run = lane.runs.peekFirst();
        if (run == null || run.ended == null) {
            return;
        }
        Call call = run.ended.call();
        Outcome outcome = run.ended.outcome();
        long at = run.ended.at();
        run.ended = null;
        if (outcome instanceof Outcome.Done done) {
            succeeded(run, call, done);
        } else if (outcome instanceof Outcome.Failed failed) {
            failed(run, call, failed.failure(), at);
        } else if (outcome instanceof Outcome.Lost lost) {
            unclear(run, call, lost.failure(), at);
        } else if (outcome instanceof Outcome.Unknown unknown) {
            unclear(run, call, unknown.failure(), at);
        } else if (outcome instanceof Outcome.NotReached) {
            memory.lanes().putBack(run);
            takeFirst(lane);
        } else {
            notBegun(run, call);
        }
    }

    /** Facts, whoever has the shard by now. */
    private void measure(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Done) {
            DeliveryMeters meter = metersOf(call.delivery());
            meter.ended(DeliveryMeters.Outcome.SUCCESS);
            databaseClock.since(call.delivery().body().dueAt()).ifPresent(meter::lag);
        } else if (outcome instanceof Outcome.Unknown) {
            metersOf(call.delivery()).ended(DeliveryMeters.Outcome.UNKNOWN);
        } else if (outcome instanceof Outcome.Lost) {
            meters.fencedWrite();
        }
    }

    private DeliveryMeters metersOf(Delivery delivery) {
        return meters.deliveries(delivery.head().type(), delivery.handler());
    }

    /** After a lost mark or an exception from commit only the row knows. If it shows no success, there is another try, uncounted. */
    private void unclear(Run run, Call call, Throwable failure, long now) {
        int times = unclearEnds.merge(run.head.id(), 1, Integer::sum);
        if (times >= UNCLEAR_ENDS) {
            failed(run, call, failure, now);
        } else {
            OutboxLog.endUnclear(run.head, run.body, call.handler(), failure);
            tryAgain(run, call, "how its transaction ended is not known", AFTER_UNCLEAR_END.toNanos() / 1000);
        }
    }

    /** The lease had lapsed: nothing has happened. */
    private void notBegun(Run run, Call call) {
        if (run.waiting == null) {
            memory.readAgain(run.lane);
        } else {
            tryAgain(run, call, "its node's lease had lapsed", 0);
        }
    }

    /** The try does not count; if it was counted before the call, it is taken back. */
    private void tryAgain(Run run, Call call, String why, long delayMicros) {
        String handler = call.handler();
        run.open.remove(handler);
        run.verdicts.add(new Verdict.Retry(handler, run.group(handler), run.attemptsSoFar(), why, delayMicros));
        next(run);
    }

    private void succeeded(Run run, Call call, Outcome.Done done) {
        if (health.succeeded(call.handler())) {
            OutboxLog.handlerIsBack(call.handler());
        }
        unclearEnds.remove(run.head.id());
        run.open.pollFirst();
        if (call.delivery().how() == Settlement.DONE) {
            run.head = run.head.withVersion(run.head.version() + (done.settled() ? 2 : 1));
            next(run);
        } else {
            finish(run, true);
        }
    }

    private void failed(Run run, Call call, Throwable failure, long now) {
        String handler = call.handler();
        Verdict verdict = verdict(run, call, failure, now);
        OutboxLog.deliveryFailed(run.head, run.body, call.delivery().attempt(), verdict, failure);
        measure(call, verdict);
        if (verdict.attempts() > run.attemptsSoFar()) {
            unclearEnds.remove(run.head.id());
        }
        run.open.remove(handler);
        run.verdicts.add(verdict);
        next(run);
    }

    /** A dead letter counts when it is stored. */
    private void measure(Call call, Verdict verdict) {
        if (verdict instanceof Verdict.Retry retry) {
            boolean counts = retry.attempts() == call.delivery().attempt();
            metersOf(call.delivery()).ended(counts ? DeliveryMeters.Outcome.RETRY : DeliveryMeters.Outcome.DEFERRED);
        }
    }

    private Verdict verdict(Run run, Call call, Throwable failure, long now) {
        String handler = call.handler();
        String group = run.group(handler);
        int before = run.attemptsSoFar();
        String error = describe(failure);
        long defer = config.handler().deferDelay().toNanos() / 1000;
        switch (deliveries.classify(call.delivery(), failure)) {
            case DEAD:
                return plan.dead(run, handler, before + 1, error);
            case DEFER:
                return new Verdict.Retry(handler, group, before, error, defer);
            default:
                break;
        }
        if (health.failed(handler, run.lane.key, now)) {
            OutboxLog.handlerIsDown(handler, failure);
        }
        if (health.isDown(handler)) {
            return new Verdict.Retry(handler, group, before, error, defer);
        }
        OutboxConfig.Retry policy = config.retryFor(run.head.type(), handler);
        if (before + 1 >= policy.maxAttempts()) {
            return plan.dead(run, handler, before + 1, error);
        }
        long micros = new Backoff(policy, random).after(before + 1).toNanos() / 1000;
        return new Verdict.Retry(handler, group, before + 1, error, micros);
    }

    private void judge(Run run) {
        run.deciding = true;
        Decision judge = new Decision.Judge(run.head, List.copyOf(run.verdicts));
        memory.decisions().add(run.lease, run.lane, judge, () -> judged(run));
    }

    private void judged(Run run) {
        run.deciding = false;
        memory.blocked(
                run.lane,
                run.verdicts.stream()
                        .filter(verdict -> !(verdict instanceof Verdict.Dead))
                        .map(Verdict::group)
                        .toList());
        goOn(run);
        run.verdicts.stream()
                .filter(verdict -> !(verdict instanceof Verdict.Retry))
                .forEach(verdict -> buried(run, verdict));
    }

    private void goOn(Run run) {
        if (!memory.lanes().isCurrent(run)) {
            // what was read of it meanwhile is older than the decision
            Optional.ofNullable(memory.lanes().get(run.lane.key)).ifPresent(memory::readAgain);
            return;
        }
        boolean waits = run.waiting != null && !(run.verdicts.get(0) instanceof Verdict.Dead);
        finish(run, !waits);
        if (waits) {
            memory.lanes().dropPage(run.lane, run.waiting.group());
            memory.lanes().touch(run.lane);
        }
    }

    private void buried(Run run, Verdict verdict) {
        meters.deliveries(run.head.type(), verdict.handler()).ended(DeliveryMeters.Outcome.DEAD);
        OutboxLog.deadLetter(run.head, run.body, verdict);
        UUID id = run.head.id();
        tell.execute(() -> deliveries.dead(id, verdict.handler()));
    }

    /** @param goesOn false: what follows of its page has to wait, and is not due before the database says so */
    private void finish(Run run, boolean goesOn) {
        Lane lane = run.lane;
        memory.lanes().finish(run);
        if (goesOn && run.waiting != null && !lane.waiting.containsKey(run.waiting.group())) {
            waits.recheck(new WaitingLane(lane.key, lane.shard, run.waiting.group()));
        }
        if (lane.whole && lane.queue.isEmpty()) {
            waits.recheck(new WaitingLane(lane.key, lane.shard, WaitingLane.WHOLE));
        }
        takeFirst(lane);
    }

    private static String describe(Throwable failure) {
        if (failure == null) {
            return "its transaction was rolled back by the database, or ended without an answer, " + UNCLEAR_ENDS
                    + " times";
        }
        String message = failure.getMessage();
        return failure.getClass().getName() + (message == null ? "" : ": " + message);
    }
}
