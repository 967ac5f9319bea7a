package io.outboxed.internal.relay.loop;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.CrashSuspects;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerRegistry;
import io.outboxed.internal.relay.Pauses;
import io.outboxed.internal.relay.failure.DeferralPacing;
import io.outboxed.internal.relay.failure.FailurePolicy;
import io.outboxed.internal.relay.failure.HandlerCircuitBreakers;
import io.outboxed.internal.relay.workers.OverloadedHandlers;
import io.outboxed.internal.relay.workers.SaturatedHandlers;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import io.outboxed.internal.store.Resolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Selects the handlers of a message that are called now, and those that wait without being called. */
final class HandlerSelection {
    private final MessageReads reads;
    private final Lanes lanes;
    private final HandlerInvoker invoker;
    private final HandlerRegistry registry;
    private final Pauses pauses;
    private final SaturatedHandlers saturated;
    private final OverloadedHandlers overloaded;
    private final HandlerCircuitBreakers circuits;
    private final FailurePolicy policy;
    private final DeferralPacing pacing;
    private final OutboxConfig config;
    private final long deferMicros;

    HandlerSelection(
            MessageReads reads,
            Lanes lanes,
            HandlerInvoker invoker,
            HandlerRegistry registry,
            Pauses pauses,
            SaturatedHandlers saturated,
            OverloadedHandlers overloaded,
            HandlerCircuitBreakers circuits,
            FailurePolicy policy,
            DeferralPacing pacing,
            OutboxConfig config) {
        this.reads = reads;
        this.lanes = lanes;
        this.invoker = invoker;
        this.registry = registry;
        this.pauses = pauses;
        this.saturated = saturated;
        this.overloaded = overloaded;
        this.circuits = circuits;
        this.policy = policy;
        this.pacing = pacing;
        this.config = config;
        this.deferMicros = config.handler().deferDelay().toNanos() / 1000;
    }

    void select(Turn turn, Set<String> done, long now) {
        if (turn.waiting != null) {
            selectForWaiting(turn, now);
        } else {
            selectForMessage(turn, done, now);
        }
    }

    FencedWrite postponement(Turn turn) {
        LaneWait lane = new LaneWait(turn.lane.key, turn.lane.shard, turn.waiting.group());
        String handler = turn.waiting.handler();
        if (pauses.covers(turn.head.type(), handler)) {
            return new FencedWrite.PauseLane(lane);
        }
        long stoodStill = saturated.stoodStillMicros(handler);
        return new FencedWrite.PostponeLane(lane, stoodStill == 0 ? paced(handler) : Math.min(deferMicros, stoodStill));
    }

    /**
     * How many of the next messages of the same type may be called without waiting until this success is recorded: only
     * if a single handler remains, and it is outside a transaction or takes batches. After a crash they are delivered
     * again together, in their order.
     */
    int mostFollowers(Turn turn) {
        boolean wholeMessage = turn.waiting == null && turn.head.onlyHandler() == null;
        if (!wholeMessage || turn.suspect || !turn.resolutions.isEmpty() || turn.groups.size() != 1) {
            return 0;
        }
        String handler = turn.remaining.peekFirst();
        if (handler == null) {
            return 0;
        }
        int most = switch (invoker.mode(new HandlerKey(turn.head.type(), handler))) {
            case TRANSACTIONAL -> 0;
            case BATCHED -> config.handler().batchSize() - 1;
            case OUTSIDE, FORWARDER -> Integer.MAX_VALUE;
        };
        return most == 0 || isDown(turn, handler) ? 0 : most;
    }

    private void selectForWaiting(Turn turn, long now) {
        String handler = turn.waiting.handler();
        int attempts = turn.waiting.attempts();
        int most = config.retryFor(turn.head.type(), handler).maxAttempts();
        if (pauses.covers(turn.head.type(), handler)) {
            return;
        }
        if (!knows(turn, handler)) {
            registry.missing(turn.head.type(), handler, turn.head);
        } else if (attempts >= most) {
            turn.resolutions.add(
                    policy.dead(turn.head.type(), handler, turn.group(handler), attempts, noneLeft(turn, most)));
        } else if (isFatal(turn, handler)) {
            int deaths = turn.head.starts();
            turn.resolutions.add(policy.dead(
                    turn.head.type(), handler, turn.group(handler), attempts + deaths, killedNodes(turn, deaths)));
        } else if (saturated.admit(handler)) {
            turn.probe = isDown(turn, handler);
            if (!turn.probe || tryProbe(turn, handler, now)) {
                turn.remaining.add(handler);
            }
        }
    }

    /**
     * Retries are counted before the call: if the count equals {@code max-attempts}, the node died during the last
     * attempt; if it is higher, {@code max-attempts} was lowered.
     */
    private String noneLeft(Turn turn, int most) {
        String before = errorBefore(turn);
        int attempts = turn.waiting.attempts();
        return attempts > most
                ? before + " (no attempts left: " + attempts + " were made, max-attempts is " + most + ")"
                : "the last of " + most + " attempts ended without an outcome: its node died, unless max-attempts was "
                        + "lowered to that. Previous error: " + before;
    }

    /** Only forwarders and probes count the starts of a waiting delivery. */
    private boolean isFatal(Turn turn, String handler) {
        return turn.head.starts() > CrashSuspects.FATAL_STARTS_IN_AN_OUTAGE
                && (invoker.mode(new HandlerKey(turn.head.type(), handler)).isForwarder() || isDown(turn, handler));
    }

    private String killedNodes(Turn turn, int deaths) {
        return "its node died or stopped during each of the last " + deaths + " calls. Previous error: "
                + errorBefore(turn);
    }

    private String errorBefore(Turn turn) {
        return reads.lastError(turn.head, turn.waiting.handler()).orElse("");
    }

    /** A probe is over when its turn has left memory or its handler is no longer to be called, whatever the outcome. */
    private boolean tryProbe(Turn turn, String handler, long now) {
        return circuits.tryProbe(
                circuit(turn, handler),
                turn.lane.key,
                now,
                () -> (turn.calling || lanes.isCurrent(turn)) && turn.remaining.contains(handler));
    }

    private boolean isDown(Turn turn, String handler) {
        return circuits.isDown(circuit(turn, handler));
    }

    private String circuit(Turn turn, String handler) {
        return invoker.circuit(turn.head, handler);
    }

    private void selectForMessage(Turn turn, Set<String> done, long now) {
        String type = turn.head.type();
        turn.groups = handlersOf(turn.head);
        // one that succeeded before all were retired would be called again once they are back: its event is done
        if (turn.groups.isEmpty() && done.isEmpty()) {
            registry.missing(type);
            turn.resolutions.add(new Resolution.Retry(
                    LaneWait.NO_HANDLER,
                    LaneWait.NO_HANDLER,
                    0,
                    "no handler is registered for " + type,
                    paced(LaneWait.NO_HANDLER)));
        }
        boolean blamed = false;
        for (String handler : inOrderOfCalls(type, turn.groups.keySet())) {
            if (done.contains(handler)) {
                continue;
            }
            Optional<Resolution> notCallable = notCallable(turn, handler);
            boolean fatal = turn.deaths >= fatalStarts(type, handler);
            if (notCallable.isPresent()) {
                turn.resolutions.add(notCallable.get());
            } else if (blamed) {
                // it was not called, as far as is known; from now on, its own calls are counted
                turn.resolutions.add(waiting(turn, handler, "an earlier handler of its event killed the node", 0));
            } else if (fatal) {
                turn.resolutions.add(policy.dead(
                        type, handler, turn.group(handler), turn.deaths + 1, "its node died each time it ran"));
            } else if (isDown(turn, handler) && !tryProbe(turn, handler, now)) {
                turn.resolutions.add(waiting(turn, handler, "the handler was down", paced(handler)));
            } else {
                turn.remaining.add(handler);
            }
            // even if the handler is paused or missing now, as one that kills nodes may be; a group that waited already
            // was not called
            blamed |= fatal && !turn.lane.waitingGroups.contains(turn.group(handler));
        }
    }

    private Optional<Resolution> notCallable(Turn turn, String handler) {
        if (turn.lane.waitingGroups.contains(turn.group(handler))) {
            return Optional.of(waiting(turn, handler, "waits behind an earlier message of its aggregate", 0));
        }
        Optional<Resolution> withheld = withheld(turn, handler);
        if (withheld.isPresent() || knows(turn, handler)) {
            return withheld;
        }
        registry.missing(turn.head.type(), handler, turn.head);
        return Optional.of(waiting(turn, handler, "this handler was unknown to the node", paced(handler)));
    }

    private boolean knows(Turn turn, String handler) {
        return invoker.knows(new HandlerKey(turn.head.type(), handler));
    }

    private int fatalStarts(String type, String handler) {
        HandlerKey key = new HandlerKey(type, handler);
        return invoker.knows(key) && invoker.mode(key).isForwarder()
                ? CrashSuspects.FATAL_STARTS_IN_AN_OUTAGE
                : CrashSuspects.FATAL_STARTS;
    }

    private long paced(String handler) {
        return pacing.delayMicros(handler);
    }

    /** A replayed message is for one handler only. */
    private Map<String, String> handlersOf(MessageHead head) {
        Map<String, String> all = registry.of(head.type());
        String only = head.onlyHandler();
        return only == null ? all : Map.of(only, all.getOrDefault(only, only));
    }

    /** Present if the handler is not to be called now, whatever the message is. */
    Optional<Resolution> withheld(Turn turn, String handler) {
        if (pauses.covers(turn.head.type(), handler)) {
            // due at once: its lane waits for the resume
            return Optional.of(waiting(turn, handler, "paused by an operator", 0));
        }
        if (saturated.contains(handler) || overloaded.contains(handler)) {
            long delay = Math.min(deferMicros, saturated.stoodStillMicros(handler));
            return Optional.of(waiting(turn, handler, Resolution.ALL_WORKERS_BUSY, delay));
        }
        return Optional.empty();
    }

    /** Due at once. */
    static Resolution notBegun(Turn turn, String handler) {
        return waiting(turn, handler, "not started", 0);
    }

    private static Resolution waiting(Turn turn, String handler, String why, long delayMicros) {
        return new Resolution.Retry(handler, turn.group(handler), 0, why, delayMicros);
    }

    private List<String> inOrderOfCalls(String type, Set<String> handlers) {
        List<String> ordered = new ArrayList<>(handlers);
        ordered.sort(Comparator.comparing((String handler) -> rank(new HandlerKey(type, handler)))
                .thenComparing(Comparator.naturalOrder()));
        return ordered;
    }

    /** Forwarders come last: nothing of the message is to wait for a broker, or to be blamed for deaths meanwhile. */
    private int rank(HandlerKey handler) {
        if (!invoker.knows(handler)) {
            return 0;
        }
        return switch (invoker.mode(handler)) {
            case TRANSACTIONAL, BATCHED -> 0;
            case OUTSIDE -> 1;
            case FORWARDER -> 2;
        };
    }
}
