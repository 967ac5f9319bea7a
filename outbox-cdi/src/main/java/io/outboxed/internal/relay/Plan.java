package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Verdict;
import io.outboxed.internal.store.WaitingLane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which handlers a run calls now, and which wait without being called. Owned by the loop. */
final class Plan {
    private final Deliveries deliveries;
    private final KnownHandlers known;
    private final HandlerHealth health;
    private final OutboxConfig config;
    private final long deferMicros;

    Plan(Deliveries deliveries, KnownHandlers known, HandlerHealth health, OutboxConfig config) {
        this.deliveries = deliveries;
        this.known = known;
        this.health = health;
        this.config = config;
        this.deferMicros = config.handler().deferDelay().toNanos() / 1000;
    }

    void make(Run run, Set<String> done, long now) {
        if (run.waiting != null) {
            planWaiting(run, now);
        } else {
            planMessage(run, done, now);
        }
    }

    Decision postponement(Run run) {
        return new Decision.Postpone(new WaitingLane(run.lane.key, run.lane.shard, run.waiting.group()), deferMicros);
    }

    /**
     * Whether messages of the same type may be called after this one without waiting until its success is recorded: a handler
     * outside a transaction is all that is left of it. After a crash they come again together, in their order.
     */
    boolean mayBeFollowed(Run run) {
        boolean wholeMessage = run.waiting == null && run.head.onlyHandler() == null;
        if (!wholeMessage || run.suspect || !run.verdicts.isEmpty() || run.groups.size() != 1) {
            return false;
        }
        String handler = run.open.peekFirst();
        return handler != null
                && deliveries.isOutside(new HandlerKey(run.head.type(), handler))
                && !health.isDown(handler);
    }

    private void planWaiting(Run run, long now) {
        String handler = run.waiting.handler();
        int most = config.retryFor(run.head.type(), handler).maxAttempts();
        if (!deliveries.knows(new HandlerKey(run.head.type(), handler))) {
            known.missing(run.head.type(), handler, run.lane.shard);
            run.postponed = true;
        } else if (run.waiting.attempts() >= most) {
            run.verdicts.add(
                    dead(run, handler, run.waiting.attempts(), "the last try ended without an outcome: its node died"));
        } else if (health.isDown(handler)) {
            run.probe = health.tryProbe(handler, now);
            run.postponed = !run.probe;
        }
        if (!run.postponed && run.verdicts.isEmpty()) {
            run.open.add(handler);
        }
    }

    private void planMessage(Run run, Set<String> done, long now) {
        String type = run.head.type();
        run.groups = handlersOf(run.head);
        if (run.groups.isEmpty()) {
            known.missing(type);
            run.verdicts.add(new Verdict.Retry(
                    WaitingLane.UNKNOWN, WaitingLane.UNKNOWN, 0, "no handler is registered for " + type, deferMicros));
        }
        for (String handler : transactionalFirst(type, run.groups.keySet())) {
            if (done.contains(handler)) {
                continue;
            }
            if (run.lane.blocked.contains(run.group(handler))) {
                run.verdicts.add(wait(run, handler, "waits behind an earlier message of its aggregate", 0));
            } else if (!deliveries.knows(new HandlerKey(type, handler))) {
                known.missing(type, handler, run.lane.shard);
                run.verdicts.add(wait(run, handler, "this handler was unknown to the node", deferMicros));
            } else if (run.deaths >= Suspects.FATAL_STARTS) {
                run.verdicts.add(dead(run, handler, run.deaths + 1, "its node died each time it ran"));
            } else if (health.isDown(handler) && !health.tryProbe(handler, now)) {
                run.verdicts.add(wait(run, handler, "the handler was down", deferMicros));
            } else {
                run.open.add(handler);
            }
        }
    }

    /** A replayed message is for one handler only. */
    private Map<String, String> handlersOf(Head head) {
        Map<String, String> all = known.of(head.type());
        String only = head.onlyHandler();
        return only == null ? all : Map.of(only, all.getOrDefault(only, only));
    }

    private static Verdict wait(Run run, String handler, String why, long delayMicros) {
        return new Verdict.Retry(handler, run.group(handler), 0, why, delayMicros);
    }

    Verdict dead(Run run, String handler, int attempts, String error) {
        String group = run.group(handler);
        return config.blockOnDeadLetter()
                ? new Verdict.Blocked(handler, group, attempts, error)
                : new Verdict.Dead(handler, group, attempts, error);
    }

    private List<String> transactionalFirst(String type, Set<String> handlers) {
        List<String> ordered = new ArrayList<>(handlers);
        ordered.sort(Comparator.comparing((String handler) -> {
                    HandlerKey key = new HandlerKey(type, handler);
                    return deliveries.knows(key) && deliveries.isOutside(key);
                })
                .thenComparing(Comparator.naturalOrder()));
        return ordered;
    }
}
