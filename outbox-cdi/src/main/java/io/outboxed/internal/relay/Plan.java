package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Verdict;
import io.outboxed.internal.store.WaitingLane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which handlers a run calls now, and which wait without being called. Owned by the loop. */
final class Plan {
    /** A message that was running when nodes died so often is not run again. */
    private static final int FATAL_STARTS = 2;

    private final Deliveries deliveries;
    private final KnownHandlers known;
    private final HandlerHealth health;
    private final OutboxConfig config;
    private final long deferMicros;
    private final Set<Run> probes = new HashSet<>();
    private final Set<Run> postponed = new HashSet<>();

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

    /** Whether this run's handler is down and the run finds out if it is back: not counted. Asked once. */
    boolean isProbe(Run run) {
        return probes.remove(run);
    }

    /** Whether this run's lane has to wait longer. Asked once. */
    boolean isPostponed(Run run) {
        return postponed.remove(run);
    }

    Decision postponement(Run run) {
        return new Decision.Postpone(new WaitingLane(run.lane.key, run.lane.shard, run.waiting.group()), deferMicros);
    }

    /**
     * Whether messages of the same type may be called after this one without waiting until its success is recorded: a handler
     * outside a transaction is all that is left of it. After a crash they come again together, in their order.
     */
    boolean mayBeFollowed(Run run) {
        if (run.waiting != null
                || run.suspect
                || !run.verdicts.isEmpty()
                || known.of(run.head.type()).size() != 1) {
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
            postponed.add(run);
        } else if (run.waiting.attempts() >= most) {
            run.verdicts.add(
                    dead(run, handler, run.waiting.attempts(), "the last try ended without an outcome: its node died"));
        } else if (health.isDown(handler)) {
            if (health.tryProbe(handler, now)) {
                probes.add(run);
                run.open.add(handler);
            } else {
                postponed.add(run);
            }
        } else {
            run.open.add(handler);
        }
    }

    private void planMessage(Run run, Set<String> done, long now) {
        String type = run.head.type();
        Set<String> handlers = known.of(type);
        if (handlers.isEmpty()) {
            known.missing(type, WaitingLane.UNKNOWN);
            run.verdicts.add(wait(WaitingLane.UNKNOWN, WaitingLane.UNKNOWN, "no handler is registered for " + type));
        }
        for (String handler : transactionalFirst(type, handlers)) {
            if (done.contains(handler)) {
                continue;
            }
            if (run.lane.blocked.contains(group(run, handler))) {
                run.verdicts.add(new Verdict.Retry(
                        handler, group(run, handler), 0, "waits behind an earlier message of its aggregate", 0));
            } else if (!deliveries.knows(new HandlerKey(type, handler))) {
                known.missing(type, handler);
                run.verdicts.add(wait(handler, group(run, handler), "this handler was unknown to the node"));
            } else if (run.suspect && run.head.starts() >= FATAL_STARTS) {
                run.verdicts.add(dead(run, handler, run.head.starts() + 1, "its node died each time it ran"));
            } else if (health.isDown(handler) && !health.tryProbe(handler, now)) {
                run.verdicts.add(wait(handler, group(run, handler), "the handler was down"));
            } else {
                run.open.add(handler);
            }
        }
    }

    private Verdict wait(String handler, String group, String why) {
        return new Verdict.Retry(handler, group, 0, why, deferMicros);
    }

    Verdict dead(Run run, String handler, int attempts, String error) {
        return config.blockOnDeadLetter()
                ? new Verdict.Blocked(handler, group(run, handler), attempts, error)
                : new Verdict.Dead(handler, group(run, handler), attempts, error);
    }

    String group(Run run, String handler) {
        return run.waiting == null ? known.group(run.head.type(), handler) : run.waiting.group();
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
