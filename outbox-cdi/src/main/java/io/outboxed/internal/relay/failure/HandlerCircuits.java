package io.outboxed.internal.relay.failure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Distinguishes an outage from a poison message: a handler whose last attempts all failed, over several aggregates, is
 * down. While it is down no attempt counts, and one probe at a time checks whether it has recovered.
 */
public final class HandlerCircuits {
    private static final int AGGREGATES = 5;
    private static final long BETWEEN_PROBES = Duration.ofSeconds(1).toNanos();

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

    /** @return whether a handler that is down may be called now, as the only probe */
    public boolean tryProbe(String handler, long now) {
        State state = states.get(handler);
        if (state.probing && now - state.probedAt < 60 * BETWEEN_PROBES || now - state.probedAt < BETWEEN_PROBES) {
            return false;
        }
        state.probing = true;
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
        State state = states.computeIfAbsent(handler, key -> new State());
        state.probing = false;
        state.probedAt = now;
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
        private boolean probing;
        private long probedAt;
    }
}
