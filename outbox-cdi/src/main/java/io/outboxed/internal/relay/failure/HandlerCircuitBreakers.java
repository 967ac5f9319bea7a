package io.outboxed.internal.relay.failure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Distinguishes an outage from a poison message: a handler whose last attempts all failed, over several aggregates, is
 * down. While it is down no attempt counts, and one probe at a time checks whether it has recovered.
 */
public final class HandlerCircuitBreakers {
    private static final int AGGREGATES = 5;
    private static final long BETWEEN_PROBES = Duration.ofSeconds(1).toNanos();
    /** A call that hangs must not be the last probe. */
    private static final long LONGEST_PROBE = Duration.ofSeconds(60).toNanos();

    private static final BooleanSupplier ENDED = () -> false;

    private final int downAfter;
    private final Duration deferDelay;
    private final Map<String, State> states = new HashMap<>();

    /**
     * @param downAfter consecutive failures; 0 switches the detection off
     * @param deferDelay after which an aggregate asks again that was refused
     */
    public HandlerCircuitBreakers(int downAfter, Duration deferDelay) {
        this.downAfter = downAfter;
        this.deferDelay = deferDelay;
    }

    public boolean isDown(String handler) {
        State state = states.get(handler);
        return state != null && state.down;
    }

    /**
     * Aggregates take turns: one whose probe has ended comes after all others that have asked. Otherwise a poisoned one
     * could be probed over and over, or one whose row is locked, and never one that would succeed.
     *
     * @param isUnderWay whether this probe, once begun, has still to end; it may end in any way, or never be called
     * @return whether a handler that is down may be called now, as the only probe
     */
    public boolean tryProbe(String handler, long lane, long now, BooleanSupplier isUnderWay) {
        State state = states.get(handler);
        long since = now - state.probedAt;
        if (since < BETWEEN_PROBES || since < LONGEST_PROBE && state.probe.getAsBoolean()) {
            state.turns.ask(lane, now);
            return false;
        }
        if (!state.turns.take(lane, now)) {
            return false;
        }
        state.probe = isUnderWay;
        state.probedAt = now;
        return true;
    }

    /** @return true if the handler was down and has recovered */
    public boolean succeeded(String handler) {
        State before = states.remove(handler);
        return before != null && before.down;
    }

    /** @return true if this failure makes the handler count as down */
    public boolean failed(String handler, long lane, long now) {
        if (downAfter == 0) {
            return false;
        }
        State state = states.computeIfAbsent(handler, key -> new State(new ProbeTurns(deferDelay)));
        state.probe = ENDED;
        state.probedAt = now;
        state.lanes.addLast(lane);
        if (state.lanes.size() > Math.max(downAfter, AGGREGATES)) {
            state.lanes.removeFirst();
        }
        boolean wasDown = state.down;
        state.down |= state.lanes.size() >= downAfter
                && state.lanes.stream().distinct().count() >= AGGREGATES;
        return state.down && !wasDown;
    }

    private static final class State {
        private final Deque<Long> lanes = new ArrayDeque<>();
        private final ProbeTurns turns;
        private boolean down;
        private BooleanSupplier probe = ENDED;
        private long probedAt;

        State(ProbeTurns turns) {
            this.turns = turns;
        }
    }
}
