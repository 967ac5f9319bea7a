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
public final class HandlerCircuits {
    private static final int AGGREGATES = 5;
    private static final long BETWEEN_PROBES = Duration.ofSeconds(1).toNanos();
    /** A call that hangs must not be the last probe. */
    private static final long LONGEST_PROBE = Duration.ofSeconds(60).toNanos();

    private static final BooleanSupplier ENDED = () -> false;

    private final int downAfter;
    private final Map<String, State> states = new HashMap<>();

    /** @param downAfter consecutive failures; 0 switches the detection off */
    public HandlerCircuits(int downAfter) {
        this.downAfter = downAfter;
    }

    public boolean isDown(String handler) {
        State state = states.get(handler);
        return state != null && state.down;
    }

    /**
     * A probe that ended without a success or a failure says nothing, for example if a row was locked. The next one is
     * of another lane if one has asked, since the row may be locked for hours.
     *
     * @param isUnderWay whether this probe, once begun, has still to end; it may end in any way, or never be called
     * @return whether a handler that is down may be called now, as the only probe
     */
    public boolean tryProbe(String handler, long lane, long now, BooleanSupplier isUnderWay) {
        State state = states.get(handler);
        long since = now - state.probedAt;
        boolean again = state.saidNothing && lane == state.probedLane;
        boolean othersFirst = again && state.othersAsked && since < LONGEST_PROBE;
        if (since < BETWEEN_PROBES || since < LONGEST_PROBE && state.probe.getAsBoolean() || othersFirst) {
            state.othersAsked |= !again;
            return false;
        }
        state.probe = isUnderWay;
        state.probedAt = now;
        state.probedLane = lane;
        state.saidNothing = true;
        state.othersAsked = false;
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
        State state = states.computeIfAbsent(handler, key -> new State());
        state.probe = ENDED;
        state.probedAt = now;
        state.saidNothing = false;
        state.lanes.addLast(lane);
        if (state.lanes.size() > downAfter) {
            state.lanes.removeFirst();
        }
        boolean wasDown = state.down;
        state.down |= state.lanes.size() >= downAfter
                && state.lanes.stream().distinct().count() >= AGGREGATES;
        return state.down && !wasDown;
    }

    private static final class State {
        private final Deque<Long> lanes = new ArrayDeque<>();
        private boolean down;
        private BooleanSupplier probe = ENDED;
        private long probedAt;
        private long probedLane;
        private boolean saidNothing;
        private boolean othersAsked;
    }
}
