package io.outboxed.faults.history;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The last looks at what waits. Each takes several statements, so it may see a change by halves and count as left what
 * is not; what is stuck is in all of them.
 */
public final class LastLooks {
    static final int KEPT = 10;

    private final Deque<Remains> looks = new ArrayDeque<>();

    public void add(Remains remains) {
        looks.addLast(remains);
        if (looks.size() > KEPT) {
            looks.removeFirst();
        }
    }

    /** The latest of those in which the fewest were left unexpectedly. */
    public Remains least() {
        return looks.stream()
                .reduce((one, next) -> next.unexpected() <= one.unexpected() ? next : one)
                .orElseThrow();
    }
}
