package io.outboxed.internal.relay.failure;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Whose turn it is to probe a handler that is down: each aggregate that asks has one turn in a round, and one more if no
 * other has used its own for a while.
 */
final class ProbeTurns {
    private static final int MOST_REMEMBERED = 10_000;
    /** For reading what is due, and a busy database. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final long patience;
    private final long pause;
    private final Set<Long> hadTurn = new HashSet<>();
    private final Set<Long> hadAnother = new HashSet<>();
    /** Refused, and without a turn in this round. */
    private final Set<Long> waiting = new HashSet<>();

    private long lastAsked;
    private long lastTaken;

    /** @param askAgain after which an aggregate that was refused asks again */
    ProbeTurns(Duration askAgain) {
        this.patience = askAgain.plus(MARGIN).toNanos();
        this.pause = askAgain.dividedBy(2).toNanos();
    }

    /** There can be no probe now. */
    void ask(long lane, long now) {
        if (!hadTurn.contains(lane) && (waiting.size() < MOST_REMEMBERED || waiting.contains(lane))) {
            waiting.add(lane);
            lastAsked = now;
        }
    }

    /** @return whether it is this lane's turn; if so, it is taken */
    boolean take(long lane, long now) {
        if (hadTurn.contains(lane)) {
            // one that has left this node does not ask again
            if (waiting.isEmpty() || now - lastAsked >= patience) {
                waiting.clear();
                hadTurn.clear();
                hadAnother.clear();
            } else if (now - lastTaken < pause || !hadAnother.add(lane)) {
                return false;
            }
        }
        waiting.remove(lane);
        if (hadTurn.size() < MOST_REMEMBERED) {
            hadTurn.add(lane);
        }
        lastTaken = now;
        return true;
    }
}
