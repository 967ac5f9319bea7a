package io.outboxed.internal.relay.loop;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many suspects run at a time. Few, so that few are counted when their node dies too; and of those that were
 * running when a node died before, one: the others of them are then not counted with the one that kills. Everything
 * else continues.
 */
final class SuspectAdmission {
    private static final int MOST_AT_ONCE = 256;
    /** One that takes longer no longer holds up others: it may hang for ever. */
    private static final long LONGEST_TURN = Duration.ofSeconds(5).toNanos();

    private final Lanes lanes;
    private final Set<Lane> waiting = new LinkedHashSet<>();
    private final Set<Lane> waitingForTheOne = new LinkedHashSet<>();
    /** Since when. */
    private final Map<Turn, Long> running = new LinkedHashMap<>();
    /** It was running when a node died, and runs now. */
    private Turn theOne;

    SuspectAdmission(Lanes lanes) {
        this.lanes = lanes;
    }

    /** @return false if it has to wait; its lane is offered again when there is a turn */
    boolean mayBegin(Turn turn, long now) {
        if (turn.deaths > 0 && theOne != null) {
            waitingForTheOne.add(turn.lane);
            return false;
        }
        if (running.size() >= MOST_AT_ONCE) {
            waiting.add(turn.lane);
            return false;
        }
        if (turn.deaths > 0) {
            theOne = turn;
        }
        running.put(turn, now);
        return true;
    }

    void offerNext(long now) {
        running.entrySet().removeIf(each -> !lanes.isCurrent(each.getKey()) || now - each.getValue() > LONGEST_TURN);
        if (!running.containsKey(theOne)) {
            theOne = null;
        }
        offer(waiting, MOST_AT_ONCE - running.size());
        offer(waitingForTheOne, theOne == null ? 1 : 0);
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
