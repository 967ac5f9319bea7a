package io.outboxed.internal.relay.loop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Limits how many suspects run at a time, so that only a few are counted if their node dies again. Of those that were
 * already running when a node died, only one runs at a time: the others are then not counted together with the one that
 * kills. Everything else continues.
 */
final class SuspectLimit {
    private static final int MAX_AT_ONCE = 256;
    /** A suspect that takes longer no longer holds up others: it may hang for ever. */
    private static final long LONGEST_TURN = Duration.ofSeconds(5).toNanos();

    private final Lanes lanes;
    private final Set<Lane> waiting = new LinkedHashSet<>();
    private final Set<Lane> waitingForRepeatSuspect = new LinkedHashSet<>();
    /** The running suspects, with their start times. */
    private final Map<Turn, Long> running = new LinkedHashMap<>();
    /** The one running suspect that was already running when a node died. */
    private Turn repeatSuspect;

    SuspectLimit(Lanes lanes) {
        this.lanes = lanes;
    }

    /** @return false if it has to wait; its lane is offered again when there is room */
    boolean admit(Turn turn, long now) {
        if (turn.deaths > 0 && repeatSuspect != null) {
            waitingForRepeatSuspect.add(turn.lane);
            return false;
        }
        if (running.size() >= MAX_AT_ONCE) {
            waiting.add(turn.lane);
            return false;
        }
        if (turn.deaths > 0) {
            repeatSuspect = turn;
        }
        running.put(turn, now);
        return true;
    }

    void offerNext(long now) {
        running.entrySet().removeIf(each -> !lanes.isCurrent(each.getKey()) || now - each.getValue() > LONGEST_TURN);
        if (!running.containsKey(repeatSuspect)) {
            repeatSuspect = null;
        }
        offer(waiting, MAX_AT_ONCE - running.size());
        offer(waitingForRepeatSuspect, repeatSuspect == null ? 1 : 0);
    }

    private void offer(Set<Lane> held, int free) {
        int left = free;
        for (var each = held.iterator(); each.hasNext() && left > 0; ) {
            Lane lane = each.next();
            each.remove();
            if (lanes.get(lane.key) == lane) {
                lanes.touch(lane);
                left--;
            }
        }
    }
}
